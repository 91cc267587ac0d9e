#include "engine/cli/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"

namespace redproof::engine::cli {

void write_out(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  const bool flushed = std::fflush(stdout) == 0;
  if (!written || !flushed || std::ferror(stdout) != 0) throw Refusal(fmt::format("stdout: {}", std::strerror(errno == 0 ? EIO : errno)));
}

void write_error_line(std::string_view line) noexcept {
  try {
    std::fputs((printable(line) + "\n").c_str(), stderr);
  } catch (const std::exception&) {
    std::fputs("engine: no memory for a message\n", stderr);
  }
}

}  // namespace redproof::engine::cli
