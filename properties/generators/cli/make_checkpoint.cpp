#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <variant>

#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"
#include "properties/cannot_check.h"
#include "properties/generators/checkpoint.h"
#include "properties/generators/cli/arguments.h"

namespace {

using namespace redproof::properties;

enum Exit { done = 0, refused = 1, internal = 70 };

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) throw redproof::engine::Refusal("stdout: cannot be written");
}

// The gains are what a weight's dtype may not hold: all else is bounded so that it fits.
void write_into(const std::filesystem::path& dir, const CheckpointOptions& options) {
  try {
    write_checkpoint(dir, options);
  } catch (const std::invalid_argument& error) {
    throw redproof::engine::Refusal((options.gains.empty() ? "" : "--k-gains, --v-gains: ") + std::string(error.what()));
  }
}

std::filesystem::path without_last_slash(const std::filesystem::path& dir) {
  const std::filesystem::path normal = dir.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

// A folder that is there already keeps its other files.
void move_into(const std::filesystem::path& dir, const std::filesystem::path& growing) {
  if (!std::filesystem::exists(dir)) return std::filesystem::rename(growing, dir);
  for (const auto& file : std::filesystem::directory_iterator(growing)) {
    std::filesystem::rename(file.path(), dir / file.path().filename());
  }
  std::filesystem::remove(growing);
}

// It grows beside its folder: the folder's own name appears once all of it is there.
void write_whole(const std::filesystem::path& asked, const CheckpointOptions& options) {
  const std::filesystem::path dir = without_last_slash(asked);
  const std::filesystem::path growing = dir.string() + ".tmp";
  if (growing.has_parent_path()) std::filesystem::create_directories(growing.parent_path());
  if (!std::filesystem::create_directory(growing)) throw std::runtime_error(growing.string() + ": is there already: remove it");
  try {
    write_into(growing, options);
    move_into(dir, growing);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(growing, ignored);
    throw;
  }
}

int run(int argc, char** argv) {
  const auto parsed = cli::parse_arguments(argc, argv);
  if (const auto* const text = std::get_if<std::string>(&parsed)) {
    print(*text);
    return done;
  }
  const auto& arguments = std::get<cli::Arguments>(parsed);
  write_whole(arguments.dir, arguments.options);
  print(arguments.dir + "\n");
  return done;
}

int fail(int code, const std::string& what) {
  std::fprintf(stderr, "make_checkpoint: %s\n", redproof::engine::printable(what).c_str());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on files is a failed write
  try {
    return run(argc, argv);
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
