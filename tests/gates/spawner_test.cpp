#include "gates/runner/spawner.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "gates/runner/network.h"
#include "gates/runner/process.h"
#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

// The parent of the program's supervisor: us, or the spawner.
pid_t who_forked() { return std::stoi(run_process(shell("read -r line < /proc/$PPID/stat; set -- ${line#*) }; echo $2")).output); }

}  // namespace

// One case: a spawner is for good.
TEST_CASE("what a spawner forks is what this process would have forked, and without one this process forks", "[spawner]") {
  CHECK(who_forked() == getpid());
  start_spawner();
  pid_t const spawner = who_forked();
  CHECK(spawner != getpid());
  start_spawner();
  CHECK(who_forked() == spawner);

  Folder const folder;
  auto spec = shell(
      "pwd; echo \"$1|$GIVEN|$HOME\"; read x || echo empty; ls /proc/self/fd | tr '\\n' ' '; ulimit -f; ulimit -n; ulimit -t; exit 3");
  spec.argv.insert(spec.argv.end(), {"name", "an argument\nof two lines"});
  spec.cwd = folder.path();
  spec.set_env = {{"GIVEN", std::string(100000, 'x')}};
  spec.unset_env = {"HOME"};
  spec.file_size_limit_bytes = 1 << 20;
  spec.open_files_limit = 64;
  spec.cpu_limit = std::chrono::seconds(600);
  auto const told = run_process(spec);
  CHECK(told.exit_code == 3);
  CHECK(told.output ==
        folder.path().string() + "\nan argument\nof two lines|" + spec.set_env[0].second + "|\nempty\n0 1 2 3 2048\n64\n600\n");
  CHECK(run_process(shell("kill -SEGV $$")).signal == SIGSEGV);
  CHECK(run_process(shell("pwd")).output == std::filesystem::current_path().string() + "\n");

  spec = shell("mkdir inside && echo in > inside/file; (echo out > ../outside) 2>/dev/null || echo confined");
  std::filesystem::create_directory(folder / "work");
  spec.cwd = folder / "work";
  spec.writable_roots = {folder / "work"};
  auto const confined = run_process(spec);
  if (confined.landlock_applied) CHECK(confined.output == "confined\n");
  CHECK(slurp(folder / "work/inside/file") == "in\n");

  spec = shell("trap '' TERM; setsid sleep 1000 & echo >ready; while :; do wait; done");
  spec.cwd = folder.path();
  spec.timeout = std::chrono::milliseconds(200);
  spec.grace = std::chrono::milliseconds(0);
  auto late = run_process(spec);
  for (; !std::filesystem::exists(folder / "ready"); late = run_process(spec)) spec.timeout *= 2;
  CHECK(late.timed_out);
  CHECK(late.signal == SIGKILL);

  spec = shell("readlink /proc/self/ns/net");
  auto const open = run_process(spec);
  spec.own_network = true;
  auto const shut = run_process(spec);
  CHECK(shut.network_shut == can_leave_network());
  CHECK((shut.output != open.output) == shut.network_shut);

  std::vector<std::thread> threads;
  std::vector<std::string> outputs(8);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    threads.emplace_back([&outputs, i] {
      for (int round = 0; round < 5; ++round) outputs[i] += run_process(shell("echo " + std::to_string(i))).output;
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::string const line = std::to_string(i) + "\n";
    CHECK(outputs[i] == line + line + line + line + line);
  }

  kill(spawner, SIGKILL);
  waitpid(spawner, nullptr, 0);
  CHECK(who_forked() == getpid());
}
