#include "gates/runner/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

namespace redproof::gates {

namespace {

// A program started with a closed stdin would get its pipes as 0..2, where the child's own streams go.
Descriptor raised(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return Descriptor(fd);
  Descriptor const low(fd);
  return Descriptor(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  Pipe pipe;
  pipe.read = raised(ends[0]);
  pipe.write = raised(ends[1]);
  return pipe;
}

Descriptor open_for_reading(const std::string& path) { return raised(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); }

}  // namespace redproof::gates
