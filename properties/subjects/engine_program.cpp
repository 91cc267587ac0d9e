#include "properties/subjects/engine_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "properties/cannot_check.h"
#include "properties/generators/temp_dir.h"

extern char** environ;

namespace redproof::properties {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

int wait_for(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw CannotCheck("cannot wait for the engine");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::filesystem::path program_folder() {
  const char* const bin = std::getenv("REDPROOF_BIN");
  if (bin != nullptr && *bin != '\0') return bin;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

ProgramRun run_engine(const std::vector<std::string>& arguments) {
  TempDir const dir;
  std::string const program = (program_folder() / "engine").string();
  std::string const out = (dir.path() / "out").string();
  std::string const err = (dir.path() / "err").string();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (auto const& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  int const failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw CannotCheck("cannot run " + program);
  int const exit_code = wait_for(child);
  return {exit_code, text_of(out), text_of(err)};
}

std::size_t lines_with(const std::string& text, const std::string& part) {
  std::size_t lines = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    ++lines;
    at = text.find('\n', at);
  }
  return lines;
}

}  // namespace redproof::properties
