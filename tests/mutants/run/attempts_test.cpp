#include "mutants/driver/run/attempts.h"

#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

AttemptRecord attempt(double limit, bool timed_out) {
  return {"build", false, limit, limit, timed_out, timed_out ? "timed out" : "exit code 0"};
}

}  // namespace

TEST_CASE("what ended by itself is run once and has no attempts", "[run]") {
  int runs = 0;
  CHECK(attempts_of(attempt(1, false), [&](double) {
          ++runs;
          return attempt(1, false);
        }).empty());
  CHECK(runs == 0);
}

TEST_CASE("attempts grow, are alone from the second on, and end with the first that ends", "[run]") {
  auto const ends_with = [](double patience) {
    return attempts_of(attempt(10, true), [&](double now) { return attempt(10 * now, now < patience); });
  };
  CHECK(ends_with(2).size() == 2);
  auto const all = ends_with(9);
  REQUIRE(all.size() == 3);
  CHECK(told(all) == "timed out in 10 s, and alone in 20 s and 40 s");
  CHECK_FALSE(all[0].alone);
  CHECK((all[1].alone && all[2].alone));
}

TEST_CASE("of gates without any mutant those that the clock ended are run again, each alone", "[run]") {
  std::vector<redproof::gates::Gate> gates(2);
  gates[0].id = "quick";
  gates[1].id = "slow";
  std::vector<std::string> ran;
  auto const results = run_in_time(gates, [&](const std::vector<redproof::gates::Gate>& some, Patience patience) {
    GateResults made;
    for (const auto& gate : some) {
      ran.push_back(gate.id);
      made[gate.id].process.timed_out = gate.id == "slow" && patience < 2;
    }
    return made;
  });
  CHECK(ran == std::vector<std::string>{"quick", "slow", "slow"});
  CHECK_FALSE(results.at("slow").process.timed_out);
  CHECK(run_in_time({}, {}).empty());
}
