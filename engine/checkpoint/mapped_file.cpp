#include "engine/checkpoint/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/checkpoint/printable.h"
#include "engine/checkpoint/shrink_watch.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Refusal(fmt::format("{}: {}", printable(file.string()), why));
}

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

std::size_t size_of(const std::filesystem::path& file, int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) refuse(file, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse(file, "not a regular file");
  if (status.st_size == 0) refuse(file, "empty");
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& file) {
  // Not blocking: a named pipe must be refused, not waited for.
  Descriptor const descriptor{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (descriptor.number < 0) refuse(file, std::strerror(errno));
  std::size_t const size = size_of(file, descriptor.number);
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
  if (start == MAP_FAILED) refuse(file, std::strerror(errno));
  std::span const bytes(static_cast<const std::byte*>(start), size);
  return std::shared_ptr<const MappedFile>(new MappedFile(bytes, watch_mapping(bytes, file.string())));
}

MappedFile::~MappedFile() {
  unwatch_mapping(watch_);
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace redproof::engine
