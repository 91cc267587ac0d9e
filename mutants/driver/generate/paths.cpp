#include "mutants/driver/generate/paths.h"

#include <algorithm>
#include <set>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/safe_path.h"
#include "mutants/driver/find/find.h"
#include "mutants/driver/find/source_file.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

bool matches(std::string_view glob, std::string_view path) {
  if (glob.empty()) return path.empty();
  if (glob.starts_with("**")) {
    std::string_view rest = glob.substr(2);
    if (rest.starts_with("/")) rest.remove_prefix(1);
    for (std::size_t i = 0; i <= path.size(); ++i) {
      bool const part_begins = i == 0 || path[i - 1] == '/' || rest.empty();
      if (part_begins && matches(rest, path.substr(i))) return true;
    }
    return false;
  }
  if (glob[0] == '*') {
    for (std::size_t i = 0; i <= path.size(); ++i) {
      if (matches(glob.substr(1), path.substr(i))) return true;
      if (i < path.size() && path[i] == '/') return false;
    }
    return false;
  }
  bool const same = !path.empty() && (glob[0] == path[0] || (glob[0] == '?' && path[0] != '/'));
  return same && matches(glob.substr(1), path.substr(1));
}

// Neither hidden folders nor what a build made.
bool is_skipped(const fs::path& folder) {
  std::string const name = folder.filename().string();
  return name.starts_with(".") || fs::exists(folder / "CMakeCache.txt");
}

void add_below(const fs::path& root, const fs::path& folder, std::set<std::string>& files) {
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory() && is_skipped(entry->path())) entry.disable_recursion_pending();
    // A link names a file that stands elsewhere, where it is found as itself.
    if (entry->is_regular_file() && !entry->is_symlink() && is_source(entry->path()) && !is_fragment(entry->path()))
      files.insert(entry->path().lexically_relative(root).generic_string());
  }
}

void add_matching(const fs::path& root, const std::string& glob, std::set<std::string>& files) {
  // No deeper than the first part that holds a sign.
  fs::path const fixed = fs::path(glob.substr(0, glob.find_first_of("*?"))).parent_path();
  std::set<std::string> below;
  if (fs::is_directory(root / fixed)) add_below(root, root / fixed, below);
  for (const std::string& file : below)
    if (matches(glob, file)) files.insert(file);
}

}  // namespace

std::vector<std::string> sources_of(const fs::path& root, const std::vector<std::string>& paths) {
  std::set<std::string> files;
  for (const std::string& written : paths) {
    if (!gates::is_safe_relative(written)) throw gates::Refusal(gates::printable(written) + ": must be a path inside the root, without ..");
    std::string path = fs::path(written).lexically_normal().generic_string();
    if (path.ends_with('/')) path.pop_back();
    std::set<std::string> found;
    if (fs::is_directory(root / path))
      add_below(root, root / path, found);
    else if (path.find_first_of("*?") != std::string::npos)
      add_matching(root, path, found);
    else if (fs::is_regular_file(root / path) && is_source(path))
      found.insert(path);
    if (found.empty()) throw gates::Refusal(gates::printable(written) + ": names no C++ or CUDA source");
    for (const std::string& file : found) files.insert(resolve(root, fs::path(file).lexically_normal().generic_string()));
  }
  return {files.begin(), files.end()};
}

}  // namespace redproof::mutants
