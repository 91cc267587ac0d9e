#include "mutants/driver/cache/linked_files.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "gates/runner/interrupt.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/interrupted.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  try {
    return sha256_of_file(file);
  } catch (const gates::Refusal&) {
    return "cannot be read";
  }
}

class Walk {
 public:
  Walk(fs::path start, Told told) : start_(std::move(start)), told_(told) {}

  std::string text() {
    std::error_code failed;
    if (fs::is_regular_file(start_, failed)) return line_of("", start_);
    if (fs::is_directory(start_, failed)) queue_.push_back(start_);
    while (!queue_.empty()) {
      fs::path const folder = queue_.back();
      queue_.pop_back();
      if (known_.insert(folder).second) list(folder);
    }
    return fmt::format("{}", fmt::join(lines_, ""));
  }

 private:
  std::string name_of(const fs::path& path) const { return path.lexically_relative(start_).generic_string(); }

  std::string line_of(const std::string& name, const fs::path& file) const {
    std::error_code failed;
    if (told_ == Told::by_content) return fmt::format("{} {}\n", name, content_of(file));
    return fmt::format("{} {} {}\n", name, fs::file_size(file, failed), fs::last_write_time(file, failed).time_since_epoch().count());
  }

  void list(const fs::path& folder) {
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
      if (gates::interrupted()) throw Interrupted{};
      add(entry->path());
    }
    if (failed) lines_.insert(fmt::format("{}: cannot be read\n", name_of(folder)));
  }

  void add(const fs::path& path) {
    std::error_code failed;
    if (fs::is_regular_file(path, failed)) {
      lines_.insert(line_of(name_of(path), path));
    } else if (fs::is_directory(path, failed)) {
      fs::path const folder = fs::canonical(path, failed);
      if (!failed) queue_.push_back(folder);
      if (fs::is_symlink(path, failed)) lines_.insert(fmt::format("{} -> {}\n", name_of(path), name_of(folder)));
    }
  }

  fs::path start_;
  Told told_;
  std::vector<fs::path> queue_;
  std::set<fs::path> known_;
  std::set<std::string> lines_;
};

}  // namespace

std::string linked_files(const fs::path& path, Told told) {
  std::error_code failed;
  fs::path const start = fs::canonical(path, failed);
  return failed ? std::string() : Walk(start, told).text();
}

}  // namespace redproof::mutants
