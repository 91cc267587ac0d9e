#include "tests/engine/cli/program.h"

#include <fcntl.h>
#include <signal.h>
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

void open_as(int descriptor, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(99);
  ::close(file);
}

// The program stands beside the test's own. Both streams go to files, so that none can block.
pid_t start(const std::vector<std::string>& arguments, const std::string& out, const std::string& err) {
  const std::string program = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "engine").string();
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child > 0) return child;
  if (out == "-") {
    ::close(STDOUT_FILENO);
  } else {
    open_as(STDOUT_FILENO, out);
  }
  open_as(STDERR_FILENO, err);
  ::execv(program.c_str(), argv.data());
  ::_exit(98);
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Finished run_engine(const std::vector<std::string>& arguments, const std::string& stdout_path) {
  const TemporaryFolder folder;
  const std::string out = stdout_path.empty() ? (folder.path() / "out").string() : stdout_path;
  const std::string err = (folder.path() / "err").string();
  const int exit_code = wait_for(start(arguments, out, err));
  return {exit_code, stdout_path.empty() ? text_of(out) : "", text_of(err)};
}

Finished interrupt_engine(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out", err = folder.path() / "err";
  const pid_t child = start(arguments, out.string(), err.string());
  for (int tries = 0; tries < 30000 && text_of(err).find('\n') == std::string::npos; ++tries) ::usleep(1000);
  ::kill(child, SIGINT);
  return {wait_for(child), text_of(out), text_of(err)};
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
