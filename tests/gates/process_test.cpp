#include "gates/runner/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "gates/runner/interrupt.h"
#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

// Whether the process whose id a script wrote there is alive.
bool lives(const std::filesystem::path& pid_file) { return kill(std::stoi(slurp(pid_file)), 0) == 0; }

// Runs a script that never ends by itself, with timeouts that grow until it had the time to say in `folder`/ready that it is set up.
ProcessResult timed_out_when_ready(const std::string& script, const Folder& folder) {
  auto spec = shell(script);
  spec.cwd = folder.path();
  spec.grace = std::chrono::seconds(script.starts_with("trap ''") ? 0 : 30);
  spec.timeout = std::chrono::milliseconds(200);
  auto result = run_process(spec);
  for (; !std::filesystem::exists(folder / "ready"); result = run_process(spec)) spec.timeout *= 2;
  return result;
}

}  // namespace

TEST_CASE("exit codes, output of both streams and the end by itself are told", "[process]") {
  auto const result = run_process(shell("echo out; echo err >&2; exit 3"));
  CHECK(result.exit_code == 3);
  CHECK(result.signal == 0);
  CHECK(result.output == "out\nerr\n");
  CHECK(result.ended_by_itself());
  CHECK(result.peak_rss_bytes > 0);
  CHECK_FALSE(result.oom);
}

TEST_CASE("a signal is told as a signal and not as an exit code", "[process]") {
  auto const result = run_process(shell("kill -SEGV $$"));
  CHECK(result.signal == SIGSEGV);
  CHECK(result.exit_code == -1);
  CHECK_FALSE(result.ended_by_itself());
}

TEST_CASE("a program that is not there, or is none, never reads as a program that failed", "[process]") {
  ProcessSpec spec;
  spec.argv = {"no-such-program-anywhere"};
  CHECK(run_process(spec).exit_code == 127);
  CHECK(run_process(spec).start_error == "no-such-program-anywhere: not found in PATH");
  spec.argv = {"/no/such/program"};
  CHECK(run_process(spec).exit_code == 127);
  CHECK(run_process(spec).start_error == "cannot execute /no/such/program: No such file or directory");
  Folder const folder;
  write(folder / "text", "text");
  spec.argv = {(folder / "text").string()};
  CHECK(run_process(spec).exit_code == 126);
  spec.argv = {(folder / "text/program").string()};
  CHECK(run_process(spec).exit_code == 127);
  CHECK(run_process(spec).start_error == "cannot execute " + spec.argv[0] + ": Not a directory");
  spec.argv = {"/bin/true"};
  spec.cwd = "/no/such/folder";
  CHECK(run_process(spec).start_error == "cannot enter /no/such/folder: No such file or directory");
  CHECK_FALSE(run_process(spec).ended_by_itself());
}

TEST_CASE("working folder and environment are those that were asked for", "[process]") {
  Folder const folder;
  auto spec = shell("pwd; echo $GIVEN-$HOME-");
  spec.cwd = folder.path();
  spec.set_env = {{"GIVEN", "value"}};
  spec.unset_env = {"HOME"};
  CHECK(run_process(spec).output == folder.path().string() + "\nvalue--\n");
}

TEST_CASE("a program has an empty stdin, no terminal and none of our descriptors", "[process]") {
  int const leaky = open("/dev/null", O_RDONLY);
  auto const result =
      run_process(shell("read x || echo empty; (: < /dev/tty) 2>/dev/null || echo no terminal; ls /proc/self/fd | tr '\\n' ' '"));
  close(leaky);
  CHECK(result.output == "empty\nno terminal\n0 1 2 3 ");
}

TEST_CASE("a program that ignores the polite signal is killed at its timeout, with its children", "[process]") {
  Folder const folder;
  auto const result = timed_out_when_ready("trap '' TERM INT; sleep 1000 & echo $! > pid; echo > ready; while :; do wait; done", folder);
  CHECK(result.timed_out);
  CHECK(result.signal == SIGKILL);
  CHECK_FALSE(result.oom);
  CHECK_FALSE(lives(folder / "pid"));
}

TEST_CASE("a program that obeys the polite signal is still a timeout", "[process]") {
  Folder const folder;
  auto const result = timed_out_when_ready("trap 'exit 0' TERM; echo > ready; while :; do sleep 0.01; done", folder);
  CHECK(result.timed_out);
  CHECK(result.exit_code == 0);
  CHECK_FALSE(result.ended_by_itself());
}

TEST_CASE("a daemon that left the session and keeps the streams open is killed and waited for by nobody", "[process]") {
  Folder const folder;
  auto const result =
      run_process(shell("setsid sh -c 'echo $$ > " + (folder / "pid").string() + "; trap \"\" HUP TERM; sleep 1000' & while [ ! -s " +
                        (folder / "pid").string() + " ]; do sleep 0.01; done; echo done"));
  CHECK(result.exit_code == 0);
  CHECK(result.output == "done\n");
  CHECK(result.strays >= 1);
  CHECK_FALSE(lives(folder / "pid"));
}

TEST_CASE("a stream without end is drained, kept at its limit and ended by the timeout", "[process]") {
  Folder const folder;
  auto spec = shell("yes | head -c 2000000; echo > ready; exec yes");
  spec.cwd = folder.path();
  spec.timeout = std::chrono::milliseconds(200);
  spec.output_limit_bytes = 1000;
  auto result = run_process(spec);
  for (; !std::filesystem::exists(folder / "ready"); result = run_process(spec)) spec.timeout *= 2;
  CHECK(result.timed_out);
  CHECK(result.truncated);
  CHECK(result.output_bytes > 1000000);
  CHECK(result.output.size() < 1100);
}

TEST_CASE("gigabytes on stdout do not stop a program from ending by itself", "[process]") {
  auto spec = shell("head -c 1073741824 /dev/zero; exit 4");
  spec.output_limit_bytes = 100;
  auto const result = run_process(spec);
  CHECK(result.exit_code == 4);
  CHECK(result.output_bytes == 1073741824);
}

TEST_CASE("limits on files, memory and cores hold", "[process]") {
  Folder const folder;
  auto files = shell("exec head -c 100000 /dev/zero > " + (folder / "big").string());
  files.file_size_limit_bytes = 5000;
  CHECK(run_process(files).signal == SIGXFSZ);
  CHECK(std::filesystem::file_size(folder / "big") == 5000);
  CHECK(run_process(shell("ulimit -S -c; ulimit -H -c")).output == "0\n0\n");
  auto memory = shell("exec tail /dev/zero");
  memory.memory_limit_bytes = 64 << 20;
  auto const result = run_process(memory);
  CHECK_FALSE(result.exit_code == 0);
  CHECK(result.oom);
  auto no_limit = shell("echo memory exhausted; exit 1");
  CHECK_FALSE(run_process(no_limit).oom);
}

TEST_CASE("a limit of ours that is lower than the one asked for holds", "[process]") {
  auto const told_under = [](auto resource, std::uint64_t ours, ProcessSpec spec) {
    rlimit before = {};
    REQUIRE(getrlimit(resource, &before) == 0);
    rlimit const lower = {ours, before.rlim_max};
    REQUIRE(setrlimit(resource, &lower) == 0);
    auto const result = run_process(spec);
    REQUIRE(setrlimit(resource, &before) == 0);
    return result.start_error + result.output;
  };
  auto files = shell("ulimit -S -f; ulimit -H -f");
  files.file_size_limit_bytes = 1 << 20;
  CHECK(told_under(RLIMIT_FSIZE, 512 * 100, files) == "100\n2048\n");
  CHECK(told_under(RLIMIT_FSIZE, 1 << 30, files) == "2048\n2048\n");
  auto memory = shell("ulimit -S -d; ulimit -H -d");
  memory.memory_limit_bytes = std::uint64_t{1} << 50;
  CHECK(told_under(RLIMIT_DATA, std::uint64_t{1} << 49, memory) == "549755813888\n1099511627776\n");
}

TEST_CASE("a SIGKILL by itself is a signal, whoever sent it and whatever was printed before", "[process]") {
  auto spec = shell("echo std::bad_alloc; kill -KILL $$");
  spec.memory_limit_bytes = 64 << 20;
  auto const result = run_process(spec);
  CHECK(result.signal == SIGKILL);
  CHECK_FALSE(result.oom);
}

TEST_CASE("want of memory is told only on evidence: the kernel's count, or words under a limit", "[process]") {
  ProcessSpec unlimited, limited;
  limited.memory_limit_bytes = 64 << 20;
  ProcessResult killed, speaks;
  killed.signal = SIGKILL;
  CHECK_FALSE(ran_out_of_memory(limited, killed, 0));
  CHECK(ran_out_of_memory(unlimited, killed, 1));
  speaks.signal = SIGABRT;
  speaks.output = "terminate called after throwing an instance of 'std::bad_alloc'";
  CHECK(ran_out_of_memory(limited, speaks, 0));
  CHECK_FALSE(ran_out_of_memory(unlimited, speaks, 0));
  CHECK_FALSE(ran_out_of_memory(unlimited, speaks, 1));
  speaks.signal = 0;
  for (auto const* words : {"std::bad_alloc", "ld: out of memory", "Out of memory", "fork: Cannot allocate memory", "memory exhausted"}) {
    INFO(words);
    speaks.output = words;
    speaks.exit_code = 1;
    CHECK(ran_out_of_memory(limited, speaks, 0));
    speaks.exit_code = 0;
    CHECK_FALSE(ran_out_of_memory(limited, speaks, 0));
  }
}

TEST_CASE("an interrupt is passed on and ends the wait", "[process]") {
  Folder const folder;
  auto const script = "trap 'echo told; exit 0' INT; echo > " + (folder / "ready").string() + "; while :; do sleep 0.01; done";
  auto spec = shell(script);
  spec.grace = std::chrono::seconds(30);
  std::thread breaker([&] {
    while (!std::filesystem::exists(folder / "ready")) std::this_thread::yield();
    interrupt();
  });
  auto const result = run_process(spec);
  breaker.join();
  forget_interrupt();
  CHECK(result.interrupted);
  CHECK_FALSE(result.timed_out);
  CHECK(result.output == "told\n");
}

TEST_CASE("processes run from many threads do not mix their streams or wait for each other's daemons", "[process]") {
  std::vector<ProcessResult> results(16);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&results, i] {
      results[i] = run_process(
          shell("sleep 1000 & head -c 100000 /dev/zero | tr '\\0' x; echo " + std::to_string(i) + "; exit " + std::to_string(i)));
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) {
    CHECK(results[i].exit_code == static_cast<int>(i));
    CHECK(results[i].output == std::string(100000, 'x') + std::to_string(i) + "\n");
  }
}

TEST_CASE("a limit on open files holds, and a lower one of the user's stays", "[process]") {
  auto spec = shell("ulimit -n; ulimit -Hn");
  auto const ours = run_process(spec).output;
  spec.open_files_limit = 64;
  CHECK(run_process(spec).output == "64\n64\n");
  spec.open_files_limit = 1ull << 40;
  CHECK(run_process(spec).output == ours);
}

TEST_CASE("who burns more processor time than its limit is timed out, whatever it does about the signal", "[process]") {
  std::string const burn = "while :; do :; done";
  for (std::string const& script : {burn, "trap '' XCPU; " + burn, "sh -c '" + burn + "'; exit $?"}) {
    auto spec = shell(script);
    spec.cpu_limit = std::chrono::seconds(1);
    auto const result = run_process(spec);
    INFO(script << ": signal " << result.signal << ", exit code " << result.exit_code);
    CHECK(result.timed_out);
    CHECK_FALSE(result.oom);
    CHECK_FALSE(result.ended_by_itself());
  }
  for (std::string const end : {"kill -XCPU $$", "kill -KILL $$", "exit 152"})
    for (int const limit_s : {0, 60}) {
      auto spec = shell(end);
      spec.cpu_limit = std::chrono::seconds(limit_s);
      CHECK_FALSE(run_process(spec).timed_out);
    }
}

TEST_CASE("a timeout bounds the processor time of all cores", "[process]") {
  auto spec = shell("ulimit -t");
  spec.timeout = std::chrono::seconds(30);
  spec.grace = std::chrono::milliseconds(1500);
  CHECK(run_process(spec).output == std::to_string(32 * std::max(1U, std::thread::hardware_concurrency())) + "\n");
}
