#include <fmt/format.h>

#include "gates/runner/printable.h"
#include "gates/runner/report.h"

namespace redproof::gates {

namespace {

// XML 1.0 has no way to write most control characters: printable() has made them text before.
std::string xml(const std::string& text) {
  std::string out;
  for (char const c : printable_block(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

struct Tally {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

// red and vacuous are failures, broken is an error: a reader of JUnit must not take any of them for green.
std::string testcase(const std::string& gate, const std::string& name, double seconds, const Judgement& judgement,
                     const std::string& detail, Tally& tally) {
  ++tally.tests;
  std::string const open = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml(gate), xml(name), seconds);
  if (is_green(judgement.verdict)) return open + "/>\n";
  if (judgement.verdict == Verdict::skipped) {
    ++tally.skipped;
    return fmt::format("{}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", open, xml(judgement.reason));
  }
  bool const error = judgement.verdict == Verdict::broken;
  ++(error ? tally.errors : tally.failures);
  return fmt::format("{}>\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n", open, error ? "error" : "failure",
                     word(judgement.verdict), xml(judgement.reason), xml(detail), error ? "error" : "failure");
}

std::string detail_of(const LawEvidence& law) {
  if (!law.worst) return "";
  return fmt::format("where {}\ninputs {}\nobserved {}\ntruth {}\nerror {}, bound {}: {}\nagain {}", law.worst->where, law.worst->inputs,
                     law.worst->observed, law.worst->truth, law.worst->error, law.worst->bound, law.bound, law.reproduce);
}

std::string suite(const GateResult& result, Tally& total) {
  Tally tally;
  std::string const output = result.verdict == Verdict::broken ? result.process.output : "";
  std::string cases = testcase(result.id, "gate", result.seconds, {result.verdict, result.reason}, output, tally);
  for (auto const& law : result.evidence.laws)
    cases += testcase(result.id, fmt::format("{} on {}", law.law, law.subject), 0, judge_law(law), detail_of(law), tally);
  total.tests += tally.tests;
  total.failures += tally.failures;
  total.errors += tally.errors;
  total.skipped += tally.skipped;
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}  </testsuite>\n",
      xml(result.id), tally.tests, tally.failures, tally.errors, tally.skipped, result.seconds, cases);
}

}  // namespace

std::string junit_report(const RunReport& report) {
  Tally total;
  std::string suites;
  for (auto const& result : report.results) suites += suite(result, total);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gates\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n"
      "{}</testsuites>\n",
      total.tests, total.failures, total.errors, total.skipped, suites);
}

}  // namespace redproof::gates
