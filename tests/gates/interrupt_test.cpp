#include "gates/runner/interrupt.h"

#include <csignal>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("a signal that is watched sets the flag and ends nobody", "[interrupt]") {
  watch_interrupts();
  for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
    forget_interrupt();
    CHECK_FALSE(interrupted());
    raise(signal);
    CHECK(interrupted());
    std::signal(signal, SIG_DFL);
  }
  forget_interrupt();
  for (int const signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
}

TEST_CASE("what is ignored so that writes fail is not ignored by the programs that are run", "[interrupt]") {
  watch_interrupts();
  for (int const signal : {SIGPIPE, SIGXFSZ}) {
    raise(signal);
    CHECK(run_process(shell("kill -" + std::to_string(signal) + " $$; sleep 0")).signal == signal);
    std::signal(signal, SIG_DFL);
  }
  for (int const signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
}

TEST_CASE("after an interrupt no process is started", "[interrupt]") {
  Folder const folder;
  interrupt();
  auto const result = run_process(shell("touch " + (folder / "ran").string()));
  forget_interrupt();
  CHECK(result.interrupted);
  CHECK_FALSE(result.ended_by_itself());
  CHECK_FALSE(std::filesystem::exists(folder / "ran"));
}
