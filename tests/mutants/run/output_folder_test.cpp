#include "mutants/driver/run/output_folder.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace fs = std::filesystem;

namespace {

Record record(const std::string& key, Outcome outcome) {
  Record made;
  made.id = "g/" + key;
  made.key = key;
  made.outcome = outcome;
  return made;
}

}  // namespace

TEST_CASE("records of the last two runs are read, the later one first", "[run]") {
  test::TemporaryFolder const folder;
  fs::path const path = folder.path() / "out";
  {
    OutputFolder out(path);
    out.append(record("a", Outcome::survived));
    out.append(record("b", Outcome::killed));
  }
  {
    OutputFolder out(path);
    out.append(record("a", Outcome::killed));
  }
  auto const records = earlier_records(path);
  REQUIRE(records.size() == 2);
  CHECK(records.at("a").outcome == Outcome::killed);
  CHECK(records.at("b").outcome == Outcome::killed);
  CHECK(test::read(path.string() + ".old/survived.txt") == "g/a\n");
}

TEST_CASE("a line that was cut by a kill is passed over", "[run]") {
  test::TemporaryFolder const folder;
  std::string const line = to_json_line(record("a", Outcome::killed));
  test::write(folder.path() / "out/outcomes.jsonl", line + "\n" + line.substr(0, 40));
  CHECK(earlier_records(folder.path() / "out").size() == 1);
}

TEST_CASE("a folder that no run made, and one that another run writes, are left alone", "[run]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "mine/thesis.txt", "x");
  CHECK_THROWS_AS(OutputFolder(folder.path() / "mine"), redproof::gates::Refusal);
  CHECK(test::read(folder.path() / "mine/thesis.txt") == "x");
  OutputFolder const out(folder.path() / "out");
  CHECK_THROWS_AS(OutputFolder(folder.path() / "out"), redproof::gates::Refusal);
}

TEST_CASE("logs and diffs lie under the mutant's id, and are kept for what is reused", "[run]") {
  test::TemporaryFolder const folder;
  fs::path const path = folder.path() / "out";
  {
    OutputFolder out(path);
    out.write_log("g/m", "build", "log\n");
    out.write_log("g/other", "build", "other\n");
    out.write_log("g/m2", "build", "other\n");
    out.write_diff("g/m", "diff\n");
  }
  OutputFolder out(path);
  out.keep_logs("g/m");
  CHECK(test::read(path / "logs/g/m.build.log") == "log\n");
  CHECK_FALSE(fs::exists(path / "logs/g/other.build.log"));
  CHECK_FALSE(fs::exists(path / "logs/g/m2.build.log"));
  CHECK(test::read(path.string() + ".old/diff/g/m.diff") == "diff\n");
}

TEST_CASE("outcomes that are withdrawn are in no list and are not taken up, and are kept beside", "[run]") {
  test::TemporaryFolder const folder;
  fs::path const path = folder.path() / "out";
  {
    OutputFolder out(path);
    out.append(record("a", Outcome::killed));
    out.withdraw();
    CHECK_FALSE(fs::exists(path / "killed.txt"));
    out.append(record("a", Outcome::unproved));
  }
  CHECK(test::read(path / "unproved.txt") == "g/a\n");
  CHECK(earlier_records(path).at("a").outcome == Outcome::unproved);
  CHECK(test::read(path / "outcomes.withdrawn.jsonl").find("killed") != std::string::npos);
}
