#include "mutants/driver/cache/verdict_cache.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using redproof::gates::Refusal;

namespace {

Record record(const std::string& id, Outcome outcome = Outcome::killed, const std::string& verdict = "red") {
  Record record;
  record.id = id;
  record.outcome = outcome;
  record.gates.emplace_back();
  record.gates.back().verdict = verdict;
  return record;
}

}  // namespace

TEST_CASE("a verdict is found by its key alone, in every run that opens the file", "[cache]") {
  test::TemporaryFolder const folder;
  VerdictCache cache(folder.path() / "c");
  CHECK(cache.add({{"k", record("g/m")}, {"l", record("g/n", Outcome::survived, "green")}}, {}).empty());
  VerdictCache again(folder.path() / "c");
  REQUIRE(again.find("k").has_value());
  CHECK(again.find("k")->id == "g/m");
  CHECK(again.find("l")->outcome == Outcome::survived);
  CHECK_FALSE(again.find("m").has_value());
  CHECK(again.add({{"k", record("g/later")}}, {"l"}).empty());
  CHECK(cache.find("k")->id == "g/later");
}

TEST_CASE("what nobody used for a quarter goes, and what was used stays", "[cache]") {
  test::TemporaryFolder const folder;
  VerdictCache cache(folder.path() / "c");
  REQUIRE(cache.add({{"old", record("g/m")}, {"used", record("g/n")}}, {}).empty());
  Database(folder.path() / "c").run("UPDATE verdicts SET used_day = used_day - 100");
  CHECK(cache.add({}, {"used"}).empty());
  CHECK_FALSE(cache.find("old").has_value());
  CHECK(cache.find("used").has_value());
}

TEST_CASE("an outcome under another key, or changed, is damage", "[cache]") {
  test::TemporaryFolder const folder;
  VerdictCache cache(folder.path() / "c");
  REQUIRE(cache.add({{"k", record("g/m")}}, {}).empty());
  Database(folder.path() / "c").run("UPDATE verdicts SET key = 'l'");
  CHECK_THROWS_AS(cache.find("l"), Refusal);
  Database(folder.path() / "c").run("DROP TABLE verdicts");
  CHECK_THROWS_AS(cache.find("k"), Refusal);
  CHECK(cache.add({{"k", record("g/m")}}, {}).find("no such table") != std::string::npos);
}

TEST_CASE("a file that others hold is left alone, and nothing is said against it", "[cache]") {
  test::TemporaryFolder const folder;
  VerdictCache cache(folder.path() / "c", 0);
  REQUIRE(cache.add({{"k", record("g/m")}}, {}).empty());
  Database other(folder.path() / "c");
  {
    Transaction const writing(other);
    CHECK(VerdictCache(folder.path() / "c", 0).find("k").has_value());
    CHECK(cache.add({}, {"k"}).empty());
    CHECK(cache.add({{"l", record("g/n")}}, {}).find("database is locked") != std::string::npos);
  }
  other.run("BEGIN EXCLUSIVE");
  CHECK_THROWS_AS(VerdictCache(folder.path() / "c", 0), CacheBusy);
  CHECK_THROWS_AS(cache.find("k"), CacheBusy);
}

TEST_CASE("a file with a trigger is not ours", "[cache]") {
  test::TemporaryFolder const folder;
  VerdictCache const cache(folder.path() / "c");
  Database(folder.path() / "c").run("CREATE TRIGGER t AFTER UPDATE ON opened BEGIN DELETE FROM verdicts; END");
  CHECK_THROWS_AS(VerdictCache(folder.path() / "c"), Refusal);
}

TEST_CASE("settled is what red and green gates decided, and neither a clock nor chance", "[cache]") {
  for (Outcome const outcome : {Outcome::killed, Outcome::survived, Outcome::not_reached, Outcome::wrong_reason, Outcome::wrong_gate,
                                Outcome::collateral, Outcome::equivalent})
    CHECK(is_settled(record("g/m", outcome)));
  for (Outcome const outcome : {Outcome::crash, Outcome::timeout, Outcome::oom, Outcome::stale, Outcome::unviable, Outcome::duplicate,
                                Outcome::suppressed, Outcome::no_evidence, Outcome::unproved})
    CHECK_FALSE(is_settled(record("g/m", outcome)));
  for (const char* const verdict : {"broken", "skipped", "vacuous", "unattested", ""})
    CHECK_FALSE(is_settled(record("g/m", Outcome::survived, verdict)));
  Record refused = record("g/m", Outcome::killed_by_build);
  refused.build = {true, 1, 0.5, "error"};
  CHECK(is_settled(refused));
  refused.outcome = Outcome::wrong_reason;
  CHECK_FALSE(is_settled(refused));
  Record full = record("g/m");
  full.gates.front().out_of_memory = true;
  CHECK_FALSE(is_settled(full));
  Record repeated = record("g/m");
  repeated.attempts.emplace_back();
  CHECK_FALSE(is_settled(repeated));
}
