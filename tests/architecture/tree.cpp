#include "tests/architecture/tree.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace redproof::tests {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 5> skipped_folders{"build", "models", ".git", ".toolchain", ".venv"};

bool is_skipped(std::string const& top) {
  bool const output = top.starts_with("mutate.out");
  return output || std::find(skipped_folders.begin(), skipped_folders.end(), top) != skipped_folders.end();
}

bool has_suffix(std::string_view file, std::initializer_list<std::string_view> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) { return file.ends_with(suffix); });
}

}  // namespace

std::string describe(std::vector<Finding> const& findings) {
  std::string out;
  for (Finding const& f : findings) out += f.file + ":" + std::to_string(f.line) + ": " + f.text + " (" + f.why + ")\n";
  return out;
}

Tree::Tree(fs::path root) : root_(std::move(root)) {
  for (fs::directory_entry const& top : fs::directory_iterator(root_)) {
    std::string const name = top.path().filename().string();
    if (top.is_regular_file()) files_.push_back(name);
    if (!top.is_directory() || is_skipped(name)) continue;
    for (fs::directory_entry const& entry : fs::recursive_directory_iterator(top.path())) {
      if (entry.is_regular_file()) files_.push_back(entry.path().lexically_relative(root_).generic_string());
    }
  }
  std::sort(files_.begin(), files_.end());
}

std::vector<std::string> Tree::sources() const {
  std::vector<std::string> out;
  std::copy_if(files_.begin(), files_.end(), std::back_inserter(out),
               [](std::string const& file) { return is_header(file) || has_suffix(file, {".cpp", ".cc", ".cxx", ".c", ".cu"}); });
  return out;
}

bool Tree::has(std::string const& file) const { return std::binary_search(files_.begin(), files_.end(), file); }

std::string Tree::read(std::string const& file) const {
  std::ifstream in(root_ / file, std::ios::binary);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_header(std::string_view file) { return has_suffix(file, {".h", ".hpp", ".hh", ".cuh", ".inc", ".inl", ".ipp"}); }

bool is_below(std::string_view file, std::string_view folder) {
  return file.starts_with(folder) && (file.size() == folder.size() || file[folder.size()] == '/');
}

int count_lines(std::string_view text) {
  bool const open_end = !text.empty() && text.back() != '\n';
  return static_cast<int>(std::count(text.begin(), text.end(), '\n')) + (open_end ? 1 : 0);
}

int line_of(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace redproof::tests
