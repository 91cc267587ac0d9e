#include "gates/runner/report.h"
#include "tests/catch.h"
#include "tests/gates/sample_report.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("the human report of a run with every verdict is as it was stored", "[report_human]") {
  auto const text = human_report(sample_report());
  CHECK(text == baseline("report.txt", text));
}

TEST_CASE("no control character reaches the terminal", "[report_human]") {
  auto const text = human_report(sample_report());
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\n::error") == std::string::npos);
  CHECK(text.find("x=\\x1b[31m0x3f80") != std::string::npos);
}

TEST_CASE("a run for one subject names it", "[report_human]") {
  auto report = sample_report();
  report.subject = "cpu/avx2";
  CHECK(human_report(report).starts_with("seed 7, subject cpu/avx2\n"));
}
