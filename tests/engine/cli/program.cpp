#include "tests/engine/cli/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
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

void set_limit(decltype(RLIMIT_AS) resource, std::size_t bytes) {
  if (bytes == 0) return;
  const rlimit limit{bytes, bytes};
  if (::setrlimit(resource, &limit) != 0) ::_exit(97);
}

// A disk or a memory that is full, as far as the program can tell. Whoever started the test, no signal is ignored that is not said to be.
void set_limits(const Limits& limits) {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGXFSZ}) ::signal(signal, SIG_DFL);
  if (limits.ignores_hangup) ::signal(SIGHUP, SIG_IGN);
  set_limit(RLIMIT_FSIZE, limits.file_bytes);
  set_limit(RLIMIT_AS, limits.memory_bytes);
}

// The program stands beside the test's own. Both streams go to files, so that none can block.
pid_t start(const std::string& name, const std::vector<std::string>& arguments, const Streams& streams, const Limits& limits) {
  const std::string program = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child > 0) return child;
  open_as(STDOUT_FILENO, streams.out);
  open_as(STDERR_FILENO, streams.err);
  set_limits(limits);
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

// Both ends of a terminal.
class Terminal {
 public:
  Terminal() : reader_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    if (reader_ < 0 || ::grantpt(reader_) != 0 || ::unlockpt(reader_) != 0) throw std::runtime_error("no terminal is to be had");
    path_ = ::ptsname(reader_);
    writer_ = ::open(path_.c_str(), O_RDWR | O_NOCTTY);
    termios settings{};
    if (writer_ < 0 || ::tcgetattr(writer_, &settings) != 0) throw std::runtime_error(path_ + " is no terminal");
    ::cfmakeraw(&settings);
    if (::tcsetattr(writer_, TCSANOW, &settings) != 0) throw std::runtime_error(path_ + ": its settings stay");
  }
  ~Terminal() {
    ::close(writer_);
    ::close(reader_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const std::string& path() const { return path_; }

  // All that was written up to now.
  std::string read() const {
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t bytes = 0; (bytes = ::read(reader_, buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(bytes));
    return text;
  }

 private:
  int reader_;
  int writer_ = -1;
  std::string path_;
};

}  // namespace

Finished run_program(const std::string& name, const std::vector<std::string>& arguments, const Streams& streams, const Limits& limits) {
  const TemporaryFolder folder;
  const std::string out = streams.out.empty() ? (folder.path() / "out").string() : streams.out;
  const std::string err = streams.err.empty() ? (folder.path() / "err").string() : streams.err;
  const int exit_code = wait_for(start(name, arguments, {out, err}, limits));
  return {exit_code, streams.out.empty() ? text_of(out) : "", streams.err.empty() ? text_of(err) : ""};
}

Finished run_engine(const std::vector<std::string>& arguments, const Streams& streams) { return run_program("engine", arguments, streams); }

bool has_terminals() {
  const int reader = ::posix_openpt(O_RDWR | O_NOCTTY);
  const char* const path = reader >= 0 && ::grantpt(reader) == 0 && ::unlockpt(reader) == 0 ? ::ptsname(reader) : nullptr;
  const bool there = path != nullptr && ::access(path, R_OK | W_OK) == 0;
  if (reader >= 0) ::close(reader);
  return there;
}

Finished run_engine_on_terminal(const std::vector<std::string>& arguments) {
  const Terminal terminal;
  Finished finished = run_engine(arguments, {terminal.path(), ""});
  finished.out = terminal.read();
  return finished;
}

Finished interrupt_engine(const std::vector<std::string>& arguments, int signal) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out", err = folder.path() / "err";
  const pid_t child = start("engine", arguments, {out.string(), err.string()}, {});
  for (int tries = 0; tries < 30000 && text_of(err).find('\n') == std::string::npos; ++tries) ::usleep(1000);
  ::kill(child, signal);
  return {wait_for(child), text_of(out), text_of(err)};
}

std::optional<Finished> hang_up_on_engine(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out", err = folder.path() / "err";
  const pid_t child = start("engine", arguments, {out.string(), err.string()}, {.ignores_hangup = true});
  int status = 0;
  while (text_of(err).find('\n') == std::string::npos) {
    if (::waitpid(child, &status, WNOHANG) == child) return std::nullopt;
  }
  if (!is_stopped(child, status)) return std::nullopt;
  ::kill(child, SIGHUP);
  ::kill(child, SIGCONT);
  return Finished{wait_for(child), text_of(out), text_of(err)};
}

std::optional<Finished> interrupt_while(const std::filesystem::path& file, const std::string& name,
                                        const std::vector<std::string>& arguments, int signal) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out", err = folder.path() / "err";
  const pid_t child = start(name, arguments, {out.string(), err.string()}, {});
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
