#include "mutants/driver/lab/tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "gates/runner/interrupt.h"
#include "gates/runner/process.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

bool is_under(const fs::path& path, const fs::path& folder) {
  if (folder.empty()) return false;
  std::string const relative = path.lexically_relative(folder).generic_string();
  return !relative.empty() && !relative.starts_with("..");
}

// The output folder, and the one of the run before.
bool is_output(const fs::path& path, const fs::path& output) {
  return is_under(path, output) || (!output.empty() && is_under(path, output.string() + ".old"));
}

std::vector<std::string> split_at_nul(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\0', at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_build_folder(const fs::path& path) { return path.filename() == ".git" || fs::exists(path / "CMakeCache.txt"); }

void walk(const fs::path& root, const fs::path& folder, const fs::path& excluded, std::vector<std::string>& files) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_output(entry.path(), excluded) || entry.path().filename() == ".git") continue;
    if (entry.is_directory() && !entry.is_symlink()) {
      if (!is_build_folder(entry.path())) walk(root, entry.path(), excluded, files);
    } else if (entry.is_symlink() || entry.is_regular_file()) {
      files.push_back(entry.path().lexically_relative(root).generic_string());
    }
  }
}

void list_with_git(const std::string& names, const fs::path& root, const fs::path& excluded, std::vector<std::string>& files) {
  for (const std::string& name : split_at_nul(names)) {
    fs::path const path = root / name;
    if (is_output(path, excluded)) continue;
    if (fs::is_symlink(path) || fs::is_regular_file(path)) files.push_back(name);
    // A submodule is listed as its folder.
    else if (fs::is_directory(path))
      walk(root, path, excluded, files);
  }
}

// Of a repository it is git that says what belongs to it: all that lies there, what it ignores included, is something else.
bool is_in_repository(const fs::path& root) {
  for (fs::path folder = fs::absolute(root); true; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git")) return true;
    if (folder == folder.parent_path()) return false;
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

fs::path redirected(const fs::path& target, const fs::path& from, const fs::path& to) {
  return target.is_absolute() && is_under(target, from) ? to / target.lexically_relative(from) : target;
}

}  // namespace

std::vector<std::string> tree_files(const fs::path& root, const fs::path& excluded) {
  gates::ProcessSpec spec;
  spec.argv = {"git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"};
  spec.cwd = root;
  spec.unset_env = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"};
  spec.output_limit_bytes = 256u << 20;
  auto const git = gates::run_process(spec);
  std::vector<std::string> files;
  if (git.exit_code == 0 && !git.truncated)
    list_with_git(git.output, root, excluded, files);
  else if (!git.interrupted && is_in_repository(root))
    throw gates::Refusal(fmt::format("{}: git does not list its files: {}", root.string(),
                                     git.start_error.empty() ? first_line(git.output) : git.start_error));
  else
    walk(root, root, excluded, files);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

void copy_tree(const fs::path& from, const std::vector<std::string>& files, const fs::path& to) {
  for (const std::string& file : files) {
    if (gates::interrupted()) return;
    fs::path const source = from / file;
    fs::create_directories((to / file).parent_path());
    if (fs::is_symlink(source))
      fs::create_symlink(redirected(fs::read_symlink(source), from, to), to / file);
    else
      fs::copy_file(source, to / file);
  }
}

std::string tree_sha256(const fs::path& root, const std::vector<std::string>& files, const std::string& skip_suffix) {
  std::string lines;
  for (const std::string& file : files) {
    if (!skip_suffix.empty() && file.ends_with(skip_suffix)) continue;
    // A link counts as the name it holds, less the root that it may lie in.
    bool const link = fs::is_symlink(root / file);
    fs::path const target = link ? redirected(fs::read_symlink(root / file), root, "/") : fs::path();
    lines += file + '\0' + (link ? "link " + target.string() : sha256_of_file(root / file)) + '\n';
  }
  return sha256(lines);
}

}  // namespace redproof::mutants
