#include "properties/generators/cli/growing_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "engine/types/error.h"
#include "properties/generators/cli/own_files.h"

namespace redproof::properties::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) { throw engine::Refusal(fmt::format("{}: {}", file.string(), why)); }

fs::file_status status_of(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::none) refuse(file, error.message());
  return status;
}

// As it was typed, without a slash at its end; where a link leads to it, the folder itself.
fs::path folder_of(const std::string& name) {
  if (name.empty()) throw engine::Refusal("dir: '' names no folder");
  const fs::path normal = fs::path(name).lexically_normal();
  fs::path dir = normal.has_filename() ? normal : normal.parent_path();
  std::error_code ignored;
  if (!fs::is_symlink(fs::symlink_status(dir, ignored))) return dir;
  if (!fs::exists(status_of(dir))) refuse(dir, "is a link that leads nowhere");
  return fs::canonical(dir);
}

// The folder that a run may write: none yet, an empty one, or an earlier checkpoint.
fs::path writable_folder(const std::string& name) {
  fs::path dir = folder_of(name);
  if (!fs::exists(status_of(dir))) return dir;
  require_own_checkpoint(dir);
  if (fs::equivalent(dir, fs::current_path())) refuse(dir, "is the current folder: name it from another one");
  return dir;
}

// The outermost folder of the way that is not there; empty: all are.
fs::path first_missing(const fs::path& folder) {
  if (folder.empty()) return {};
  const fs::file_status status = status_of(folder);
  if (fs::is_directory(status)) return {};
  if (fs::exists(status)) refuse(folder, "is no folder");
  const fs::path above = first_missing(folder.parent_path());
  return above.empty() ? folder : above;
}

void rename_to(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) refuse(to, std::strerror(errno));
}

// Made where it is not there yet.
fs::path made(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) refuse(folder, std::strerror(errno));
  return folder;
}

int opened(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) refuse(folder, errno == ENOTDIR || errno == ELOOP ? "is no folder" : std::strerror(errno));
  return descriptor;
}

// It may have been renamed between the two calls.
bool is_open_at(int descriptor, const fs::path& folder) {
  struct stat open = {};
  struct stat named = {};
  if (::fstat(descriptor, &open) != 0 || ::lstat(folder.c_str(), &named) != 0) return false;
  return open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

}  // namespace

MadeParents::MadeParents(const fs::path& innermost) : innermost_(innermost), outermost_(first_missing(innermost)) {
  if (outermost_.empty()) return;
  std::error_code error;
  fs::create_directories(innermost_, error);
  if (!error) return;
  remove();
  refuse(innermost_, error.message());
}

MadeParents::~MadeParents() { remove(); }

void MadeParents::remove() {
  if (outermost_.empty()) return;
  for (fs::path folder = innermost_; ::rmdir(folder.c_str()) == 0 && folder != outermost_; folder = folder.parent_path()) {
  }
}

FolderLock::FolderLock(const fs::path& folder) : descriptor_(opened(folder)) {
  const bool taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!taken && is_open_at(descriptor_, folder)) return;
  ::close(descriptor_);
  refuse(folder, "another make_checkpoint is at work on it");
}

FolderLock::~FolderLock() { ::close(descriptor_); }

GrowingFolder::GrowingFolder(const std::string& name)
    : dir_(writable_folder(name)), growing_(dir_.string() + ".tmp"), parents_(dir_.parent_path()), lock_(made(growing_)) {
  remove_own_files(growing_);
}

GrowingFolder::~GrowingFolder() {
  std::error_code ignored;
  if (!placed_) fs::remove_all(growing_, ignored);
}

void GrowingFolder::place() {
  if (fs::exists(status_of(dir_))) {
    replace();
  } else {
    rename_to(growing_, dir_);
  }
  placed_ = true;
  parents_.keep();
}

// The two change places. Where the file system cannot do that, the earlier one is emptied: a folder may be renamed to an empty one's name.
void GrowingFolder::replace() {
  const FolderLock earlier(dir_);
  require_own_checkpoint(dir_);
  fs::permissions(growing_, fs::status(dir_).permissions());
  if (::renameat2(AT_FDCWD, growing_.c_str(), AT_FDCWD, dir_.c_str(), RENAME_EXCHANGE) == 0) {
    remove_own_files(growing_);
    ::rmdir(growing_.c_str());
    return;
  }
  if (errno != EINVAL && errno != ENOSYS) refuse(dir_, std::strerror(errno));
  remove_own_files(dir_);
  rename_to(growing_, dir_);
}

}  // namespace redproof::properties::cli
