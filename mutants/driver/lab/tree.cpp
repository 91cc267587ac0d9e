#include "mutants/driver/lab/tree.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "gates/runner/interrupt.h"
#include "gates/runner/printable.h"
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

bool is_build_folder(const fs::path& path) {
  std::error_code unread;
  return path.filename() == ".git" || fs::exists(path / "CMakeCache.txt", unread);
}

[[noreturn]] void refuse_unread(const fs::path& path, const std::string& why) {
  throw gates::Refusal(fmt::format("{}: cannot be read: {}; let the user that runs mutate read it, or have git ignore it",
                                   gates::printable(path.string()), why));
}

// Nothing of what may not be read can be left out: the copy would be another tree.
void require_readable(const fs::path& path) {
  bool const is_folder = fs::is_directory(path);
  if (access(path.c_str(), is_folder ? R_OK | X_OK : R_OK) != 0) refuse_unread(path, std::strerror(errno));
}

void walk(const fs::path& root, const fs::path& folder, const fs::path& excluded, std::vector<std::string>& files) {
  require_readable(folder);
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
    std::error_code failed;
    bool const there = fs::exists(fs::symlink_status(path, failed));
    if (!there && failed == std::errc::permission_denied) refuse_unread(path, failed.message());
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

gates::ProcessResult list_files(const fs::path& root, const std::vector<std::string>& words) {
  gates::ProcessSpec spec;
  spec.argv = {"git", "ls-files", "-z"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.cwd = root;
  spec.unset_env = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"};
  spec.output_limit_bytes = 256u << 20;
  return gates::run_process(spec);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Git's own words of it are on its second line.
std::string remedy_of(const std::string& words, const fs::path& root) {
  return words.find("dubious ownership") == std::string::npos ? "" : "; git config --global --add safe.directory " + root.string();
}

fs::path redirected(const fs::path& target, const fs::path& from, const fs::path& to) {
  return target.is_absolute() && is_under(target, from) ? to / target.lexically_relative(from) : target;
}

// Edits are written there, whatever the user may do to the original.
void copy_writable(const fs::path& from, const fs::path& to) {
  require_readable(from);
  fs::copy_file(from, to);
  fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, fs::perm_options::add);
}

}  // namespace

std::vector<std::string> tree_files(const fs::path& root, const fs::path& excluded) {
  auto const git = list_files(root, {"--cached", "--others", "--exclude-standard"});
  std::vector<std::string> files;
  if (git.exit_code == 0 && !git.truncated)
    list_with_git(git.output, root, excluded, files);
  else if (!git.interrupted && is_in_repository(root))
    throw gates::Refusal(fmt::format("{}: git does not list its files: {}{}", root.string(),
                                     git.start_error.empty() ? first_line(git.output) : git.start_error, remedy_of(git.output, root)));
  else
    walk(root, root, excluded, files);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

std::vector<std::string> empty_submodules(const fs::path& root) {
  std::vector<std::string> empty;
  if (!fs::exists(root / ".gitmodules")) return empty;
  // MODE OBJECT STAGE, a tab, PATH
  for (const std::string& entry : split_at_nul(list_files(root, {"--stage"}).output)) {
    std::string const path = entry.substr(entry.find('\t') + 1);
    if (entry.starts_with("160000 ") && fs::is_directory(root / path) && fs::is_empty(root / path)) empty.push_back(path);
  }
  return empty;
}

void copy_tree(const fs::path& from, const std::vector<std::string>& files, const fs::path& to) {
  for (const std::string& file : files) {
    if (gates::interrupted()) return;
    fs::path const source = from / file;
    fs::create_directories((to / file).parent_path());
    if (fs::is_symlink(source))
      fs::create_symlink(redirected(fs::read_symlink(source), from, to), to / file);
    else
      copy_writable(source, to / file);
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
