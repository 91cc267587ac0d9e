// The program `mutate`: what its options take, and what it refuses to take for something else.
#include <algorithm>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using redproof::mutants::test::Project;

namespace {

constexpr const char* no_numbers[] = {"''",  "-1",  "-0",   "+1",  "4x",   "x4",    "0x4", "' 4'", "'4 '",
                                      "nan", "NAN", "-nan", "inf", "-inf", "1e999", ".",   "1e",   "'1 2'"};
constexpr const char* no_naturals[] = {"010", "4.0", "1e1", "\"1'0\"", "18446744073709551616", "99999999999999999999999"};

struct Refusals {
  Project project;
  Refusals() { project.add_edit("g/m", "store", Project::swap); }

  redproof::gates::ProcessResult mutate(const std::string& words) const {
    redproof::gates::ProcessSpec spec;
    spec.argv = {"sh", "-c", "exec \"$MUTATE\" " + words};
    spec.cwd = project.root();
    spec.set_env = {{"MUTATE", (redproof::mutants::test::program_folder() / "mutate").string()}};
    return redproof::gates::run_process(spec);
  }

  // One line that says this, exit code 1, and no trace of a run.
  void expect(const std::string& words, const std::string& what) const {
    auto const result = mutate(words);
    INFO(words << ": " << result.output);
    CHECK(result.exit_code == 1);
    CHECK(result.output.starts_with("mutate: " + what));
    CHECK(std::count(result.output.begin(), result.output.end(), '\n') == 1);
    CHECK_FALSE(std::filesystem::exists(project.root() / "mutate.out"));
  }
};

}  // namespace

TEST_CASE("a number that is empty, below, above, no number or more than one is refused by option and value", "[cli]") {
  Refusals const refusals;
  std::string const list = "--catalog mutants --list ";
  for (std::string const option : {"--jobs", "--seed", "--sample", "--timeout-factor", "--threshold", "--max-time"})
    for (std::string const value : no_numbers) refusals.expect(list + option + " " + value, option + ": \"");
  for (std::string const option : {"--jobs", "--seed", "--sample"})
    for (std::string const value : no_naturals) refusals.expect(list + option + "=" + value, option + ": \"");
  for (std::string const value : no_numbers) refusals.expect("merge x --out y --threshold " + value, "--threshold: \"");
  refusals.expect(list + "--jobs 257", "--jobs: \"257\" is no integer from 1 to 256\n");
  refusals.expect(list + "--seed -1", "--seed: \"-1\" is no integer from 0 to 18446744073709551615\n");
  refusals.expect(list + "--sample 0", "--sample: \"0\" is no integer from 1 to 1000000000\n");
  refusals.expect(list + "--timeout-factor 1000.1", "--timeout-factor: \"1000.1\" is no number from 0.01 to 1000\n");
  refusals.expect(list + "--threshold 100.1", "--threshold: \"100.1\" is no number from 0 to 100\n");
  refusals.expect(list + "--max-time 0", "--max-time: \"0\" is no number from 0.001 to 1000000000\n");
  refusals.expect(list + "--seed '1\n2'", "--seed: \"1\\x0a2\" is no integer");
  CHECK(refusals.mutate(list + "--jobs 256 --seed 18446744073709551615 --timeout-factor 1e1 --threshold 99.5 --max-time 5").exit_code == 0);
}

TEST_CASE("a root that is not there, and an output folder that a run would refuse, are refused by option", "[cli]") {
  Refusals const refusals;
  for (std::string const verb : {"", "--list", "--check", "--dry-run"})
    refusals.expect("--catalog mutants --root /no/such " + verb, "--root: /no/such: no such folder\n");
  for (std::string const verb : {"", "--dry-run"})
    refusals.expect("--catalog mutants --out build.sh " + verb, "--out: " + refusals.project.root().string() + "/build.sh: is no folder");
}

TEST_CASE("an empty word is refused by every option that takes one, and never stands for the default", "[cli]") {
  Refusals const refusals;
  std::string const list = "--list --catalog mutants ";
  for (std::string const option : {"--root", "--generate", "--operators", "--lab-config", "--compile-commands", "--in-diff", "--since",
                                   "--file", "--function", "--shard", "--output", "--out"})
    refusals.expect(list + option + " ''", option + ": is empty\n");
  refusals.expect("--list --catalog ''", "--catalog: is empty\n");
  refusals.expect(list + "-o ''", "--output: is empty\n");
  for (std::string const option : {"--format", "--planting"}) refusals.expect(list + option + " ''", option + ": ");
  for (std::string const filters : {"''", "g/m ''"}) refusals.expect(list + filters, "filters: is empty\n");
  for (std::string const operators : {"a,,b", ",a", "a,", ","}) refusals.expect(list + "--operators " + operators, "--operators: ");
}

TEST_CASE("an empty word is refused by every verb", "[cli]") {
  Refusals const refusals;
  for (std::string const option : {"--root", "--compile-commands"})
    refusals.expect("symbols src/store.cpp " + option + " ''", option + ": is empty\n");
  refusals.expect("symbols ''", "files: is empty\n");
  refusals.expect("merge '' --out x", "folders: is empty\n");
  for (std::string const option : {"--out", "--root", "-o"})
    refusals.expect("merge a " + option + " ''", option == "-o" ? "--output: is empty\n" : option + ": is empty\n");
  for (std::string const verb : {"explain", "apply"}) {
    refusals.expect(verb + " '' --catalog mutants", "id: is empty\n");
    refusals.expect(verb + " g/m --catalog ''", "--catalog: is empty\n");
    refusals.expect(verb + " g/m --catalog mutants -o ''", "--output: is empty\n");
  }
  refusals.expect("explain g/m --catalog mutants --out ''", "--out: is empty\n");
  refusals.expect("schema ''", "document: is empty\n");
  refusals.expect("schema plan -o ''", "--output: is empty\n");
}

TEST_CASE("an option that is given nothing by = does not take the next word", "[cli]") {
  Refusals const refusals;
  for (std::string const option : {"--out", "--output", "--root", "--seed", "--file", "--since", "--shard", "--resume", "-o"})
    refusals.expect("--list --catalog mutants " + option + "= g/m", option + "=: is empty\n");
}

TEST_CASE("what others wrote is told on one line", "[cli]") {
  Refusals const refusals;
  refusals.expect("--list --catalog 'no\nsuch'", "no\\x0asuch: no such catalogue\n");
  refusals.expect("--list --catalog mutants 'no\nsuch'", "no mutant matches no\\x0asuch\n");
  refusals.expect("--list --catalog mutants '--no\nsuch'", "The following argument was not expected: --no\\x0asuch\n");
}
