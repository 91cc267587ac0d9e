// An open file descriptor that closes itself, and pipes of them. All are close-on-exec and above the three standard ones.
#pragma once
#include <string>
#include <utility>

namespace redproof::gates {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read, write;
};

// Closed where it fails; errno says why.
Pipe make_pipe();
Descriptor open_for_reading(const std::string& path);

}  // namespace redproof::gates
