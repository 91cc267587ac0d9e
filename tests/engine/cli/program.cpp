#include "tests/engine/cli/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// "-" closes it.
void open_as(int descriptor, const std::string& path) {
  if (path == "-") {
    ::close(descriptor);
    return;
  }
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(99);
  ::close(file);
}

// A disk that is full, as far as the program can tell. No signal is ignored, whoever started the test.
void set_limits(std::size_t file_bytes) {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGXFSZ}) ::signal(signal, SIG_DFL);
  if (file_bytes == 0) return;
  const rlimit limit{file_bytes, file_bytes};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(97);
}

// The program stands beside the test's own. Both streams go to files, so that none can block.
pid_t start(const std::string& name, const std::vector<std::string>& arguments, const Streams& streams, std::size_t file_bytes) {
  const std::string program = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child > 0) return child;
  open_as(STDOUT_FILENO, streams.out);
  open_as(STDERR_FILENO, streams.err);
  set_limits(file_bytes);
  ::execv(program.c_str(), argv.data());
  ::_exit(98);
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
  }
  return exit_code_of(status);
}

// Stopped, so that it stays in the state in which it is found.
bool is_stopped(pid_t child, int& status) {
  ::kill(child, SIGSTOP);
  while (::waitpid(child, &status, WUNTRACED) < 0) {
  }
  return WIFSTOPPED(status);
}

}  // namespace

Finished run_program(const std::string& name, const std::vector<std::string>& arguments, const Streams& streams, std::size_t file_bytes) {
  const TemporaryFolder folder;
  const std::string out = streams.out.empty() ? (folder.path() / "out").string() : streams.out;
  const std::string err = streams.err.empty() ? (folder.path() / "err").string() : streams.err;
  const int exit_code = wait_for(start(name, arguments, {out, err}, file_bytes));
  return {exit_code, streams.out.empty() ? text_of(out) : "", streams.err.empty() ? text_of(err) : ""};
}

Finished run_engine(const std::vector<std::string>& arguments, const Streams& streams) { return run_program("engine", arguments, streams); }

Finished interrupt_engine(const std::vector<std::string>& arguments, int signal) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out", err = folder.path() / "err";
  const pid_t child = start("engine", arguments, {out.string(), err.string()}, 0);
  for (int tries = 0; tries < 30000 && text_of(err).find('\n') == std::string::npos; ++tries) ::usleep(1000);
  ::kill(child, signal);
  return {wait_for(child), text_of(out), text_of(err)};
}

std::optional<Finished> interrupt_while(const std::filesystem::path& file, const std::string& name,
                                        const std::vector<std::string>& arguments, int signal) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out", err = folder.path() / "err";
  const pid_t child = start(name, arguments, {out.string(), err.string()}, 0);
  int status = 0;
  while (!std::filesystem::exists(file)) {
    if (::waitpid(child, &status, WNOHANG) == child) return std::nullopt;
  }
  if (!is_stopped(child, status)) return std::nullopt;
  const bool there = std::filesystem::exists(file);
  if (there) ::kill(child, signal);
  ::kill(child, SIGCONT);
  const int exit_code = wait_for(child);
  if (!there) return std::nullopt;
  return Finished{exit_code, text_of(out), text_of(err)};
}

std::string field_of(const std::string& json, const std::string& key) {
  const std::string quoted = '"' + key + "\": ";
  const std::size_t at = json.find(quoted);
  if (at == std::string::npos) return "absent";
  const std::size_t begin = at + quoted.size();
  const std::size_t end = json.find_first_of(",\n", begin);
  return json.substr(begin, end - begin);
}

}  // namespace redproof::tests
