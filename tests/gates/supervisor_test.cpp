#include "gates/runner/supervisor.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "gates/runner/command.h"
#include "gates/runner/descriptor.h"
#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;

namespace {

// Starts a supervisor of `argv`, says `control` to it (or hangs up), and returns its report.
SupervisionReport supervised(std::vector<std::string> argv, unsigned char control, bool hangs_up) {
  Pipe output = make_pipe();
  Pipe report = make_pipe();
  Pipe orders = make_pipe();
  Descriptor const null = open_for_reading("/dev/null");
  std::vector<std::string> const environment = {"PATH=/usr/bin:/bin"};
  auto const arguments = pointers(argv);
  auto const variables = pointers(environment);
  SupervisionPlan plan;
  plan.program = arguments[0];
  plan.argv = arguments.data();
  plan.environment = variables.data();
  plan.null_fd = null.get();
  plan.output_fd = output.write.get();
  plan.report_fd = report.write.get();
  plan.control_fd = orders.read.get();
  plan.grace_ms = 30000;
  pid_t const supervisor = fork();
  if (supervisor == 0) supervise(plan);
  REQUIRE(supervisor > 0);
  for (auto* end : {&output.write, &report.write, &orders.read}) end->close();
  char ready = 0;
  if (control != 0 || hangs_up) REQUIRE(read(output.read.get(), &ready, 1) == 1);
  if (control != 0) REQUIRE(write(orders.write.get(), &control, 1) == 1);
  if (hangs_up) orders.write.close();
  SupervisionReport told;
  REQUIRE(read(report.read.get(), &told, sizeof told) == sizeof told);
  REQUIRE(waitpid(supervisor, nullptr, 0) == supervisor);
  return told;
}

}  // namespace

TEST_CASE("a program's exit code is reported", "[supervisor]") {
  auto const report = supervised({"/bin/sh", "-c", "exit 7"}, 0, false);
  CHECK(report.failed_stage == StartStage::none);
  REQUIRE(WIFEXITED(report.wait_status));
  CHECK(WEXITSTATUS(report.wait_status) == 7);
  CHECK(report.strays == 0);
  CHECK(report.killed_by_us == 0);
}

TEST_CASE("a program that is not there is reported with its stage and error", "[supervisor]") {
  auto const report = supervised({"/no/such/program"}, 0, false);
  CHECK(report.failed_stage == StartStage::execute);
  CHECK(report.failed_errno == ENOENT);
}

TEST_CASE("an order is passed on as a signal", "[supervisor]") {
  auto const report = supervised({"/bin/sh", "-c", "trap 'exit 5' TERM; echo; while :; do sleep 0.01; done"}, SIGTERM, false);
  REQUIRE(WIFEXITED(report.wait_status));
  CHECK(WEXITSTATUS(report.wait_status) == 5);
}

TEST_CASE("when the one who ordered is gone, everything is killed", "[supervisor]") {
  auto const report = supervised({"/bin/sh", "-c", "setsid sleep 1000 & echo; exec sleep 1000"}, 0, true);
  REQUIRE(WIFSIGNALED(report.wait_status));
  CHECK(WTERMSIG(report.wait_status) == SIGKILL);
  CHECK(report.killed_by_us == 1);
}
