#include "mutants/driver/record.h"

#include <cmath>

#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

Record full_record() {
  Record record;
  record.id = "g/m";
  record.key = "abc";
  record.outcome = Outcome::killed;
  record.as_declared = true;
  record.reason = "line one\nline \"two\"";
  record.files = {{"a.cpp", "1", "2", "1"}};
  record.build = {true, 0, 1.5, ""};
  record.programs = {{"out/prog", "3", "4"}};
  GateRecord gate;
  gate.gate = "pairs";
  gate.role = "red";
  gate.stage = "nightly";
  gate.verdict = "red";
  gate.elements = (1ull << 63) + 1;
  gate.out_of_memory = true;
  gate.worst = WorstRecord{"lane 1", "x", "nan", "0", std::nan(""), 0.5};
  record.gates = {gate};
  record.edits = {{"edit 1 of 2 (a.cpp, f)", "changes a program"}, {"edit 2 of 2 (a.cpp)", "does not build alone"}};
  record.attempts = {{"gate pairs", false, 1, 1.1, true, "broken: timed out"}, {"gate pairs", true, 2, 0.5, false, "red"}};
  record.seconds = 2.25;
  record.cached = true;
  return record;
}

}  // namespace

TEST_CASE("a record is one line and comes back whole", "[record]") {
  std::string const line = to_json_line(full_record());
  CHECK(line.find('\n') == std::string::npos);
  auto const record = record_of(line);
  REQUIRE(record.has_value());
  CHECK(record->reason == full_record().reason);
  CHECK(record->cached);
  CHECK(record->gates.at(0).out_of_memory);
  CHECK(record->gates.at(0).elements == (1ull << 63) + 1);
  REQUIRE(record->gates.at(0).worst.has_value());
  CHECK(std::isnan(record->gates.at(0).worst->error));
  CHECK(to_json_line(*record) == line);
}

TEST_CASE("a line that was cut, or is of another program, is no record", "[record]") {
  std::string const line = to_json_line(full_record());
  for (std::size_t length = 0; length < line.size(); length += 7) CHECK_FALSE(record_of(line.substr(0, length)).has_value());
  CHECK_FALSE(record_of("{}").has_value());
  CHECK_FALSE(record_of("[1]").has_value());
}
