#include "gates/runner/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gates/runner/descriptor.h"
#include "gates/runner/refusal.h"

namespace redproof::gates {

namespace {

void write_with(const std::filesystem::path& path, std::string_view content, int how) {
  Descriptor const file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666));
  if (!file.open() || !write_all(file.get(), content)) refuse_unwritten(path);
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

void write_in_place(const std::filesystem::path& path, std::string_view content) { write_with(path, content, O_TRUNC); }

void append_to_file(const std::filesystem::path& path, std::string_view content) { write_with(path, content, O_APPEND); }

}  // namespace redproof::gates
