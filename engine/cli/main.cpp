#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <variant>

#include "engine/cli/arguments.h"
#include "engine/cli/commands.h"
#include "engine/cli/output.h"
#include "engine/types/error.h"

namespace redproof::engine::cli {
namespace {

enum Exit { done = 0, refused = 1, internal = 70, interrupted = 130 };

// One ending for every signal that asks for one.
extern "C" void on_interrupt(int) {
  constexpr std::string_view line = "engine: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(interrupted);
}

void set_signals() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
  // A reader that went away, and a limit on files, are failed writes, and those are reported.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

int fail(int code, const std::string& what) {
  write_error_line("engine: " + what);
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

int run(int argc, char** argv) {
  auto parsed = parse_arguments(argc, argv);
  if (auto* const arguments = std::get_if<Arguments>(&parsed)) {
    arguments->engine.announce = write_error_line;
    write_out(execute(*arguments));
  } else {
    write_out(std::get<std::string>(parsed));
  }
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
