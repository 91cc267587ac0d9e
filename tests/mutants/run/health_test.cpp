#include "mutants/driver/run/health.h"

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("gates that are broken are to be looked at again, red and green ones are not", "[run]") {
  Record record;
  for (const char* verdict : {"green", "red", "broken", "vacuous", "skipped"}) {
    record.gates.emplace_back();
    record.gates.back().gate = std::string("gate_") + verdict;
    record.gates.back().verdict = verdict;
  }
  CHECK(broken_gates(record) == std::set<std::string>{"gate_broken"});
}

TEST_CASE("a machine lacks memory where it has less than the hungriest gate took", "[run]") {
  GateResults pristine;
  pristine["a"].process.peak_rss_bytes = 5u << 20;
  pristine["b"].process.peak_rss_bytes = 30u << 20;
  CHECK(lack_of_memory(pristine, 30u << 20).empty());
  CHECK(lack_of_memory(pristine, std::nullopt).empty());
  CHECK(lack_of_memory(pristine, (30u << 20) - 1) == "29 MiB of memory are available, and a gate took 30 on the pristine tree");
}
