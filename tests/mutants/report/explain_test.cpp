#include "mutants/driver/report/explain.h"

#include "gates/runner/process.h"
#include "mutants/driver/plant/diff.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/report/sample.h"

using namespace redproof::mutants;

namespace {

Explained sample() {
  Explained explained;
  explained.planned = test::sample_report().plan.mutants.front();
  explained.planned.mutant.origin = "public/issue#1";
  explained.planned.mutant.reds = {{"pairs", "bytes"}};
  explained.planned.mutant.keeps_green = {"other"};
  explained.planned.mutant.targets = {"prog"};
  explained.gates.resize(1);
  explained.gates[0].id = "pairs";
  explained.gates[0].claim = "pairs are kept";
  explained.lab.build = {"make", "{targets}", "X=a b"};
  explained.lab.bin = "out";
  explained.project = {"--catalog", "mutants"};
  explained.run = "mutate.out";
  return explained;
}

int shell(const std::filesystem::path& folder, const std::string& script) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh", "-ec", script};
  spec.cwd = folder;
  auto const result = redproof::gates::run_process(spec);
  INFO(script << ": " << result.output);
  CHECK(result.exit_code == 0);
  return result.exit_code;
}

}  // namespace

TEST_CASE("a mutant is explained by what it changes, who is to see it and how to do it by hand", "[report]") {
  std::string const text = explain(sample());
  for (const char* part :
       {"g/killed: a defect", "from public/issue#1", "-two\n+TWO\n", "gate pairs must go red in law bytes", "claims: pairs are kept",
        "must stay green: other", "nothing yet: mutate.out holds no outcome of it", "mutate apply g/killed --catalog mutants",
        "git apply g_killed.patch", "make prog 'X=a b'", "gates run pairs --seed 1 --bin out", "git apply -R g_killed.patch"})
    CHECK_THAT(text, ContainsSubstring(part));
}

TEST_CASE("what happened is told with its figures, and whether it is of the sources of now", "[report]") {
  Explained explained = sample();
  explained.record = test::sample_report().records.front();
  CHECK_THAT(explain(explained), ContainsSubstring("outcome: killed, as declared"));
  CHECK_THAT(explain(explained), ContainsSubstring("of a run on other inputs"));
  explained.same_inputs = true;
  CHECK(explain(explained).find("of a run on other inputs") == std::string::npos);
  explained.planned.finding = {{}, "nowhere \x1b[31m", ""};
  CHECK_THAT(explain(explained), ContainsSubstring("stale: nowhere \\x1b"));
  CHECK(explain(explained).find("git apply") == std::string::npos);
}

TEST_CASE("a patch applies by git and by patch, whatever the name and the line ends", "[report]") {
  for (std::string const name : {"plain.cpp", "with space.cpp", "quo\"te\\.cpp", "\xc3\xa9.cpp"})
    for (const auto& [before, after] : {std::pair("one\ntwo\nthree\n", "one\nTWO\nthree\n"), std::pair("one\r\ntwo\r\n", "one\r\nTWO\r\n"),
                                        std::pair("one\ntwo", "one\nTWO"), std::pair("two", "TWO")}) {
      PlannedMutant planned;
      planned.finding.files = {{"sub/" + name, before, after, "", ""}};
      test::TemporaryFolder const folder;
      test::write(folder.path() / "x.patch", patch_of(planned.finding.files));
      for (std::string const tool : {"git apply x.patch", "patch -s -p1 --binary -i x.patch"}) {
        test::write(folder.path() / "sub" / name, before);
        REQUIRE(shell(folder.path(), tool) == 0);
        INFO(tool << " " << name);
        CHECK(test::read(folder.path() / "sub" / name) == after);
      }
    }
}

TEST_CASE("names for a shell and for a file are made of ids and words", "[report]") {
  CHECK(patch_name("store/kv_swap") == "store_kv_swap.patch");
  CHECK(quoted_command({"a", "b c", "it's", ""}) == "a 'b c' 'it'\\''s' ''");
}
