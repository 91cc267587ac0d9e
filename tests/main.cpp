// Catch2's main, compiled once. Ends with the line `N passed, N failed` and fails where nothing ran or nothing was asserted.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#include <catch2/catch_session.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
using ListenerBase = Catch::EventListenerBase;
#else
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_CONSOLE_WIDTH 200  // findings keep to one line
#include <catch2/catch.hpp>
using ListenerBase = Catch::TestEventListenerBase;
#endif
#include <cstdio>

#include "tests/skip.h"

namespace {

Catch::Counts cases;
unsigned long long skipped = 0;

// The reporter prints its own summary after this, so the closing line waits until the run has returned.
struct Closing : ListenerBase {
  using ListenerBase::ListenerBase;
  void testRunEnded(Catch::TestRunStats const& stats) override { cases = stats.totals.testCases; }
};
CATCH_REGISTER_LISTENER(Closing)

}  // namespace

void skip_case(std::string const& reason) {
  ++skipped;
  SUCCEED(reason);  // a case without an assertion fails
  std::printf("SKIPPED: %s\n", reason.c_str());
}

// A program that leaves evidence replaces this: it writes the evidence and returns the exit code that its verdicts demand.
__attribute__((weak)) int closing_exit_code(int code) { return code; }

int main(int argc, char* argv[]) {
  Catch::Session session;
  if (int const usage = session.applyCommandLine(argc, argv); usage != 0) return 1;
  bool const lists = session.configData().listTests || session.configData().showHelp;
  session.configData().warnings = static_cast<Catch::WarnAbout::What>(session.configData().warnings | Catch::WarnAbout::NoAssertions);
  int const failed = session.run();
  if (lists) return 0;
  std::printf("%llu passed, %llu failed", static_cast<unsigned long long>(cases.passed) - skipped,
              static_cast<unsigned long long>(cases.failed + cases.failedButOk));
  if (skipped > 0) std::printf(", %llu skipped", skipped);
  std::printf("\n");
  if (cases.total() == 0) {
    std::fprintf(stderr, "no test case matches\n");
    return 8;
  }
  return closing_exit_code(failed == 0 ? 0 : 2);
}
