#include "gates/runner/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "gates/runner/descriptor.h"
#include "gates/runner/refusal.h"
#include "gates/runner/write_file.h"

namespace redproof::gates {

namespace {

bool is_stream(const std::filesystem::path& path) {
  struct stat facts = {};
  return stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

void write_stream(const std::filesystem::path& path, std::string_view content) {
  Descriptor const stream(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!stream.open() || !write_all(stream.get(), content)) refuse_unwritten(path);
}

std::filesystem::path folder_of(const std::filesystem::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

void sync_folder(const std::filesystem::path& path) {
  Descriptor const folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.open()) fsync(folder.get());
}

// Where a link leads, step by step, so that the link itself stays. What it names need not be there. None: errno says why.
std::optional<std::filesystem::path> target_of(const std::filesystem::path& link) {
  constexpr int most_links = 40;  // as many as the kernel follows
  std::filesystem::path path = link;
  std::error_code error;
  for (int step = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(path, error)); ++step) {
    errno = ELOOP;
    if (step == most_links) return std::nullopt;
    path = path.parent_path() / std::filesystem::read_symlink(path);
  }
  return path;
}

std::string temporary_of(const std::filesystem::path& path) { return fmt::format("{}.tmp.{}.{}", path.string(), getpid(), gettid()); }

Descriptor open_temporary(const std::string& path) {
  return Descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
}

// What is left of a file that could not be written.
[[noreturn]] void refuse_without(const std::string& temporary, const std::filesystem::path& path) {
  int const error = errno;
  unlink(temporary.c_str());
  errno = error;
  refuse_unwritten(path);
}

// In a folder with the sticky bit a file gives way to its owner and the folder's alone.
bool may_give_way(const std::filesystem::path& path) {
  struct stat file = {};
  struct stat folder = {};
  if (geteuid() == 0 || lstat(path.c_str(), &file) != 0 || stat(folder_of(path).c_str(), &folder) != 0) return true;
  return (folder.st_mode & S_ISVTX) == 0 || file.st_uid == geteuid() || folder.st_uid == geteuid();
}

// Only making a file shows whether one can be made: file systems refuse for reasons of their own. 0, or what errno says.
int error_of_writing(const std::filesystem::path& named) {
  if (is_stream(named)) return access(named.c_str(), W_OK) == 0 ? 0 : errno;
  auto const path = target_of(named);
  std::error_code error;
  if (!path) return errno;
  if (std::filesystem::is_directory(*path, error)) return EISDIR;
  std::string const temporary = temporary_of(*path);
  if (!open_temporary(temporary).open()) return errno;
  unlink(temporary.c_str());
  return may_give_way(*path) ? 0 : EPERM;
}

}  // namespace

void write_file_atomically(const std::filesystem::path& named, std::string_view content, Outlives outlives) {
  if (is_stream(named)) return write_stream(named, content);
  auto const path = target_of(named);
  if (!path) refuse_unwritten(named);
  std::string const temporary = temporary_of(*path);
  {
    Descriptor const file = open_temporary(temporary);
    if (!file.open()) refuse_unwritten(*path);
    if (!write_all(file.get(), content) || (outlives == Outlives::power_cut && fsync(file.get()) != 0)) refuse_without(temporary, *path);
  }
  if (rename(temporary.c_str(), path->c_str()) != 0) refuse_without(temporary, *path);
  if (outlives == Outlives::power_cut) sync_folder(*path);
}

void require_writable(const std::filesystem::path& path) {
  int const error = error_of_writing(path);
  if (error == 0) return;
  throw Refusal(fmt::format("{}: cannot be written: {}; name a file in a folder that can be written", path.string(), std::strerror(error)));
}

}  // namespace redproof::gates
