#include "engine/checkpoint/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/checkpoint/file_exists.h"
#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Refusal(fmt::format("{}: {}", printable(file.string()), why));
}

std::string why_not_opened(const std::filesystem::path& file, int error) {
  if (error == ENOENT && is_dangling(file)) return dangling;
  if (error == ENOENT || error == ENOTDIR) return "no such file";
  if (error == ENXIO) return "not a regular file";  // a socket
  return std::strerror(error);
}

int opened(const std::filesystem::path& file) {
  // Not blocking: a named pipe must be refused, not waited for.
  int const descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) refuse(file, why_not_opened(file, errno));
  return descriptor;
}

}  // namespace

RegularFile::RegularFile(const std::filesystem::path& file) : file_(file), descriptor_(opened(file)), size_(0) {
  struct stat status = {};
  int const error = ::fstat(descriptor_, &status) == 0 ? 0 : errno;
  if (error == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::size_t>(status.st_size);
    return;
  }
  ::close(descriptor_);
  refuse(file, error == 0 ? "not a regular file" : std::strerror(error));
}

RegularFile::~RegularFile() { ::close(descriptor_); }

std::string RegularFile::read() const {
  std::string bytes(size_, '\0');
  for (std::size_t at = 0; at < size_;) {
    ssize_t const got = ::pread(descriptor_, bytes.data() + at, size_ - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(file_, std::strerror(errno));
    if (got == 0) refuse(file_, "shrank while it was read");
    at += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace redproof::engine
