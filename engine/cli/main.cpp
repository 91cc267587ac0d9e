#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "engine/checkpoint/printable.h"
#include "engine/cli/arguments.h"
#include "engine/cli/commands.h"
#include "engine/types/error.h"

namespace redproof::engine::cli {
namespace {

enum Exit { done = 0, refused = 1, internal = 70, interrupted = 130 };

extern "C" void on_interrupt(int) {
  constexpr std::string_view line = "engine: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(interrupted);
}

void set_signals() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is a failed write, and that is reported
}

int fail(int code, std::string_view what) {
  fmt::print(stderr, "engine: {}\n", printable(what));
  return code;
}

std::string execute(const Arguments& arguments) {
  switch (arguments.command) {
    case Command::generate:
      return generate(arguments);
    case Command::inspect:
      return inspect(arguments);
    case Command::bench:
      return bench(arguments);
  }
  return {};
}

// Output that was lost is no success.
void write_out(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  const bool flushed = std::fflush(stdout) == 0;
  if (!written || !flushed || std::ferror(stdout) != 0) throw Refusal(fmt::format("stdout: {}", std::strerror(errno == 0 ? EIO : errno)));
}

int run(int argc, char** argv) {
  auto arguments = parse_arguments(argc, argv);
  if (!arguments) {
    write_out("");
    return done;
  }
  arguments->engine.announce = [](const std::string& line) { fmt::print(stderr, "{}\n", printable(line)); };
  write_out(execute(*arguments));
  return done;
}

}  // namespace
}  // namespace redproof::engine::cli

int main(int argc, char** argv) {
  using namespace redproof::engine;
  cli::set_signals();
  try {
    return cli::run(argc, argv);
  } catch (const Refusal& refusal) {
    return cli::fail(cli::refused, refusal.what());
  } catch (const std::bad_alloc&) {
    return cli::fail(cli::refused, "not enough memory: ask for fewer blocks, or for smaller chunks");
  } catch (const std::exception& error) {
    return cli::fail(cli::internal, std::string("internal error: ") + error.what());
  }
}
