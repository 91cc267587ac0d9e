#include "gates/runner/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "gates/runner/descriptor.h"
#include "gates/runner/refusal.h"

namespace redproof::gates {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw Refusal(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    ssize_t const size = write(fd, content.data(), content.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

bool is_stream(const std::filesystem::path& path) {
  struct stat facts = {};
  return stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

void write_stream(const std::filesystem::path& path, std::string_view content) {
  Descriptor const stream(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!stream.open() || !write_all(stream.get(), content)) refuse(path);
}

void sync_folder(const std::filesystem::path& path) {
  auto const parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  Descriptor const folder(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.open()) fsync(folder.get());
}

// Where a link leads, step by step, so that the link itself stays. What it names need not be there.
std::filesystem::path target_of(const std::filesystem::path& link) {
  constexpr int most_links = 40;  // as many as the kernel follows
  std::filesystem::path path = link;
  std::error_code error;
  for (int step = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(path, error)); ++step) {
    errno = ELOOP;
    if (step == most_links) refuse(link);
    path = path.parent_path() / std::filesystem::read_symlink(path);
  }
  return path;
}

}  // namespace

void write_file_atomically(const std::filesystem::path& named, std::string_view content, Outlives outlives) {
  if (is_stream(named)) return write_stream(named, content);
  auto const path = target_of(named);
  std::string const temporary = fmt::format("{}.tmp.{}.{}", path.string(), getpid(), gettid());
  {
    Descriptor const file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!file.open()) refuse(path);
    if (!write_all(file.get(), content) || (outlives == Outlives::power_cut && fsync(file.get()) != 0)) {
      int const error = errno;
      unlink(temporary.c_str());
      errno = error;
      refuse(path);
    }
  }
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    int const error = errno;
    unlink(temporary.c_str());
    errno = error;
    refuse(path);
  }
  if (outlives == Outlives::power_cut) sync_folder(path);
}

}  // namespace redproof::gates
