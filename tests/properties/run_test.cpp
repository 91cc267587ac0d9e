#include "properties/run.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "tests/catch.h"

using namespace redproof::properties;

namespace {

Law plain(const char* name) { return {name, "test", "none"}; }

LawReport judged(const Law& law, const std::function<void(Draw&, Tally&)>& body) {
  run_law(law, body);
  return reports().back();
}

void one_equal(Tally& tally) {
  if (tally.equal(true)) tally.witness({"here", "nothing", "1", "1"});
}

}  // namespace

TEST_CASE("a law that checked an element and found no failure is green") {
  auto const report = judged(plain("green"), [](Draw&, Tally& tally) { one_equal(tally); });
  CHECK(report.verdict == LawVerdict::green);
  CHECK(report.tally.elements == 1);
  CHECK(report.tally.failures == 0);
}

TEST_CASE("a law that checked nothing is vacuous") {
  auto const report = judged(plain("nothing"), [](Draw&, Tally&) {});
  CHECK(report.verdict == LawVerdict::vacuous);
  CHECK(report.reason == "no element was checked");
}

TEST_CASE("a population below its floor is vacuous, and one at its floor is not") {
  auto law = plain("floor");
  law.floors = {{"ties", 2}};
  CHECK(run_law(law, [](Draw&, Tally& tally) {
          one_equal(tally);
          tally.count("ties", 1);
        }) == LawVerdict::vacuous);
  CHECK(reports().back().reason == "ties: 1 of at least 2");
  CHECK(run_law(law, [](Draw&, Tally& tally) {
          one_equal(tally);
          tally.count("ties", 2);
        }) == LawVerdict::green);
}

TEST_CASE("an error outside its bound is red, NaN and infinite bounds included") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinity = std::numeric_limits<double>::infinity();
  struct Case {
    double error;
    double bound;
    LawVerdict verdict;
  };
  for (auto const& [error, bound, verdict] :
       {Case{1.0, 1.0, LawVerdict::green}, Case{1.5, 1.0, LawVerdict::red}, Case{nan, 1.0, LawVerdict::red},
        Case{0.0, nan, LawVerdict::red}, Case{0.0, infinity, LawVerdict::red}, Case{infinity, 1.0, LawVerdict::red}}) {
    auto const report = judged(plain("bound"), [error = error, bound = bound](Draw&, Tally& tally) {
      if (tally.within(error, bound)) tally.witness({"here", "", "", ""});
    });
    CAPTURE(error, bound);
    CHECK(report.verdict == verdict);
  }
}

TEST_CASE("the worst element is the one whose error is largest against its bound, and its slack is told") {
  auto const report = judged(plain("worst"), [](Draw&, Tally& tally) {
    for (double const error : {0.25, 0.5, 0.125}) {
      if (tally.within(error, 1.0)) tally.witness({std::to_string(error), "", "", ""});
    }
  });
  REQUIRE(report.tally.worst);
  CHECK(report.tally.worst->where == std::to_string(0.5));
  REQUIRE(report.slack);
  CHECK(*report.slack == 2.0);
}

TEST_CASE("a bound that hides a declared mutant is vacuous") {
  auto law = plain("margin");
  law.separates = {"store/scale_x8", "store/scale_x1_01"};
  auto const run_with = [&law](double nearest) {
    return run_law(law, [nearest](Draw&, Tally& tally) {
      one_equal(tally);
      tally.signal("store/scale_x8", 100.0);
      tally.signal("store/scale_x1_01", nearest);
    });
  };
  CHECK(run_with(2.0) == LawVerdict::green);
  CHECK(reports().back().margin == 2.0);
  CHECK(run_with(1.9) == LawVerdict::vacuous);
  CHECK(run_with(std::numeric_limits<double>::quiet_NaN()) == LawVerdict::vacuous);
}

TEST_CASE("an exception that leaves a law is a failure with its message") {
  auto const report = judged(plain("throws"), [](Draw&, Tally& tally) {
    one_equal(tally);
    throw std::runtime_error("refused");
  });
  CHECK(report.verdict == LawVerdict::red);
  REQUIRE(report.tally.worst);
  CHECK(report.tally.worst->observed == "threw: refused");
}

TEST_CASE("a failing case shrinks, and shrinking adds nothing to the counts") {
  auto law = plain("shrinks");
  law.cases = 50;
  std::uint64_t calls = 0;
  auto const report = judged(law, [&calls](Draw& draw, Tally& tally) {
    ++calls;
    auto const n = draw.integer("n", 0, 1000);
    if (tally.equal(n < 37)) tally.witness({"n " + std::to_string(n), "", "", ""});
  });
  CHECK(report.verdict == LawVerdict::red);
  CHECK(report.tally.failures == 1);
  CHECK(report.tally.elements <= 50);
  CHECK(calls > report.tally.elements);  // it did shrink
  REQUIRE(report.tally.worst);
  CHECK(report.tally.worst->where == "n 37");
  CHECK(report.tally.worst->inputs == "drawn: n=37");
}

TEST_CASE("cases are drawn from the run's seed alone: two runs draw the same, both ends of a range are drawn") {
  auto law = plain("draws");
  law.cases = 64;
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  auto const collect = [](std::vector<std::int64_t>& into) {
    return [&into](Draw& draw, Tally& tally) {
      into.push_back(draw.integer("n", -1, 2));
      into.push_back(static_cast<std::int64_t>(draw.bits("bits")));
      one_equal(tally);
    };
  };
  run_law(law, collect(first));
  run_law(law, collect(second));
  CHECK(first == second);
  CHECK(first.size() == 128);
  std::map<std::int64_t, int> seen;
  for (std::size_t i = 0; i < first.size(); i += 2) ++seen[first[i]];
  CHECK(seen.size() == 4);
  CHECK(seen.count(-1) == 1);
  CHECK(seen.count(2) == 1);
}

TEST_CASE("where laws are asked for by name, others are not, and what fails is not shrunk") {
  CHECK(is_asked_for("any_law(subject)"));
  setenv("REDPROOF_LAWS", "first_law,second_law", 1);
  CHECK(is_asked_for("first_law(cpu_subjects())"));
  CHECK(is_asked_for("second_law"));
  CHECK_FALSE(is_asked_for("law(subject)"));
  CHECK_FALSE(is_asked_for("first_law_of_all(subject)"));
  auto const bodies_of_a_failing_law = [] {
    int bodies = 0;
    judged(plain("failing"), [&](Draw& draw, Tally& tally) {
      ++bodies;
      if (tally.equal(draw.integer("x", 0, 1000000) < 0)) tally.witness({"x", "", "", ""});
    });
    return bodies;
  };
  int const without_shrinking = bodies_of_a_failing_law();
  unsetenv("REDPROOF_LAWS");
  CHECK(without_shrinking < bodies_of_a_failing_law());
}
