#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <variant>

#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"
#include "properties/cannot_check.h"
#include "properties/generators/checkpoint.h"
#include "properties/generators/cli/arguments.h"
#include "properties/generators/cli/growing_folder.h"
#include "properties/generators/interrupt.h"

namespace {

using namespace redproof::properties;

enum Exit : std::uint8_t { done = 0, refused = 1, internal = 70, interrupted = 130 };

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) throw cannot_write("stdout");
}

// The gains are what a weight's dtype may not hold: all else is bounded so that it fits.
void write_into(const std::filesystem::path& dir, const CheckpointOptions& options) {
  try {
    write_checkpoint(dir, options);
  } catch (const std::invalid_argument& error) {
    throw redproof::engine::Refusal((options.gains.empty() ? "" : "--k-gains, --v-gains: ") + std::string(error.what()));
  }
}

int run(int argc, char** argv) {
  const auto parsed = cli::parse_arguments(argc, argv);
  if (const auto* const text = std::get_if<std::string>(&parsed)) {
    print(*text);
    return done;
  }
  const auto& arguments = std::get<cli::Arguments>(parsed);
  cli::GrowingFolder folder(arguments.dir);
  write_into(folder.path(), arguments.options);
  stop_if_interrupted();
  folder.place();
  print(arguments.dir + "\n");
  return done;
}

int fail(int code, const std::string& what) {
  std::fprintf(stderr, "make_checkpoint: %s\n", redproof::engine::printable(what).c_str());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  watch_interrupts();
  try {
    return run(argc, argv);
  } catch (const Interrupted& error) {
    return fail(interrupted, error.what());
  } catch (const redproof::engine::Refusal& refusal) {
    return fail(refused, refusal.what());
  } catch (const CannotCheck& error) {
    return fail(refused, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(refused, error.what());
  } catch (const std::bad_alloc&) {
    return fail(refused, "not enough memory: lower --vocab, --hidden, --intermediate or --layers");
  } catch (const std::exception& error) {
    return fail(internal, fmt::format("internal error: {}", error.what()));
  }
}
