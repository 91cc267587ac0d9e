// Catch2's main, compiled once. Ends with the line `N passed, N failed` and fails where nothing ran or nothing was asserted.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#include <catch2/catch_session.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#define REDPROOF_LISTENER Catch::EventListenerBase
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#define REDPROOF_LISTENER Catch::TestEventListenerBase
#endif
#include <cstdint>
#include <cstdio>

namespace {

std::uint64_t cases_run = 0;

struct Closing : REDPROOF_LISTENER {
  using REDPROOF_LISTENER::REDPROOF_LISTENER;
  void testRunEnded(Catch::TestRunStats const& stats) override {
    REDPROOF_LISTENER::testRunEnded(stats);
    auto const& cases = stats.totals.testCases;
    cases_run = cases.total();
    std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(cases.passed),
                static_cast<unsigned long long>(cases.failed + cases.failedButOk));
  }
};
CATCH_REGISTER_LISTENER(Closing)

}  // namespace

int main(int argc, char* argv[]) {
  Catch::Session session;
  if (int const usage = session.applyCommandLine(argc, argv); usage != 0) return 1;
  bool const lists = session.configData().listTests || session.configData().showHelp;
  session.configData().warnings = static_cast<Catch::WarnAbout::What>(session.configData().warnings | Catch::WarnAbout::NoAssertions);
  int const failed = session.run();
  if (lists) return 0;
  if (cases_run == 0) {
    std::fprintf(stderr, "no test case matches\n");
    return 8;
  }
  return failed == 0 ? 0 : 2;
}
