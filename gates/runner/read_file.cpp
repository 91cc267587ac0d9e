#include "gates/runner/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gates/runner/descriptor.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"

namespace redproof::gates {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw Refusal(fmt::format("{}: {}", printable(path.string()), what));
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uint64_t most, bool follow) {
  Descriptor const file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)));
  if (!file.open()) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  struct stat facts = {};
  if (fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) refuse(path, "no regular file");
  std::string content;
  char block[65536];
  while (content.size() <= most) {
    ssize_t const size = read(file.get(), block, sizeof block);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (size == 0) return content;
    content.append(block, static_cast<std::size_t>(size));
  }
  refuse(path, fmt::format("larger than {} bytes", most));
}

}  // namespace redproof::gates
