#include "gates/runner/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gates/runner/descriptor.h"
#include "gates/runner/refusal.h"

namespace redproof::gates {

namespace {

bool cut_to(int fd, std::size_t size) {
  struct stat facts = {};
  return fstat(fd, &facts) == 0 && (facts.st_size <= static_cast<off_t>(size) || ftruncate(fd, static_cast<off_t>(size)) == 0);
}

}  // namespace

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    ssize_t const size = write(fd, content.data(), content.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

void refuse_unwritten(const std::filesystem::path& path) {
  throw Refusal(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
}

// Cut behind what was written and not emptied before: file systems put a file that was emptied on the disk when it is closed.
void write_in_place(const std::filesystem::path& path, std::string_view content) {
  Descriptor const file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file.open() || !write_all(file.get(), content) || !cut_to(file.get(), content.size())) refuse_unwritten(path);
}

void append_to_file(const std::filesystem::path& path, std::string_view content) {
  Descriptor const file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0666));
  if (!file.open() || !write_all(file.get(), content)) refuse_unwritten(path);
}

}  // namespace redproof::gates
