// The program `mutate`: which mutants it takes, in which parts, and the verbs beside a run. Exit codes 5, 6, 8 and 11.
#include <algorithm>

#include "gates/runner/json_document.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/shell.h"

using redproof::gates::ProcessResult;
using redproof::mutants::test::Project;
using redproof::mutants::test::read;

using redproof::mutants::test::is_one_line;
using redproof::mutants::test::says;

namespace {

// $MUTATE stands for the program, and $CATALOG for `--catalog mutants`.
ProcessResult selected_by_shell(const Project& project, const std::string& script) {
  return redproof::mutants::test::run_script(project, script, {{"CATALOG", "--catalog mutants --out ../out"}});
}

void add_two(Project& project) {
  project.add_edit("g/a", "store", Project::swap);
  project.add_edit("g/b", "count", R"("replace_expression":{"expression":"n","with":"1"})", R"("reds":[{"gate":"exits"}])");
  project.write("build/x/compile_commands.json", R"([{"directory":")" + project.root().string() +
                                                     R"(","file":"src/store.cpp","command":"g++ -std=c++20 -c src/store.cpp"}])");
  project.write(".gitignore", "build\n");
}

// One line on stderr, nothing else, and this code.
void refused(const Project& project, const std::string& words, int code, const std::string& text) {
  auto const result = selected_by_shell(project, "$MUTATE $CATALOG " + words);
  INFO(words << ": " << result.output);
  CHECK(result.exit_code == code);
  CHECK(is_one_line(result.output));
  CHECK(says(result, text));
}

}  // namespace

TEST_CASE("a matrix tells of every gate, for catalogued and for generated mutants", "[cli]") {
  Project project;
  add_two(project);
  for (std::string const words :
       {"$CATALOG --planting schemata g/a", "--catalog mutants --out ../out2 --generate src/store.cpp --operators argument_swapped"}) {
    auto const result = selected_by_shell(project, "$MUTATE " + words + " --matrix --format json -o ../matrix.json");
    INFO(result.output);
    CHECK(result.exit_code == 0);
    auto const document = redproof::gates::JsonDocument::read(project.root().parent_path() / "matrix.json");
    auto const swapped = document.root().at("mutants").items().front();
    CHECK(swapped.at("outcome").text() == "killed");
    std::vector<std::string> told;
    for (auto const& gate : swapped.at("gates").items()) told.push_back(gate.at("gate").text() + " " + gate.at("verdict").text());
    std::sort(told.begin(), told.end());
    CHECK(told == std::vector<std::string>{"both red", "exits red", "pairs red"});
    CHECK(document.root().at("scores").at("killing_set").texts().size() == 1);
    CHECK(document.root().at("scores").at("by_one_gate").texts().empty());
  }
}

TEST_CASE("mutate takes what changed since a commit, or in a diff of this tree", "[cli]") {
  Project project;
  add_two(project);
  REQUIRE(selected_by_shell(project, "git init -q -b main && git add . && git commit -qm 1").exit_code == 0);
  REQUIRE(selected_by_shell(project, "sed -i 's/return n; }/return n;  }/' src/store.cpp").exit_code == 0);
  for (std::string const words : {"--since HEAD", "--since main", "--in-diff ../diff", "--in-diff - <../diff"}) {
    auto const listed = selected_by_shell(project, "git diff >../diff; $MUTATE $CATALOG --list " + words);
    CHECK(says(listed, "g/b  one defect"));
    CHECK_FALSE(says(listed, "g/a"));
  }
  CHECK(says(selected_by_shell(project, "$MUTATE $CATALOG --check --since HEAD"), "1 of 1 mutants apply"));
  // A gate that changed is run again with all that it kills.
  REQUIRE(selected_by_shell(project, "git commit -qam 2; echo '#' >>gate.sh").exit_code == 0);
  CHECK(says(selected_by_shell(project, "$MUTATE $CATALOG --list --since HEAD"), "g/a  one defect"));
}

TEST_CASE("mutate exits 6 on a diff that it cannot read and 5 on one of another tree", "[cli]") {
  Project project;
  add_two(project);
  project.write("junk", "hello\n");
  project.write("other", "--- a/src/store.cpp\n+++ b/src/store.cpp\n@@ -1 +1 @@\n-x\n+y\n");
  project.write("gone", "--- a/src/gone.cpp\n+++ b/src/gone.cpp\n@@ -1 +1 @@\n-x\n+y\n");
  for (std::string const verb : {"", "--list ", "--check ", "--dry-run "}) {
    refused(project, verb + "--in-diff junk", 6, "the diff cannot be read: no file in it");
    refused(project, verb + "--in-diff nowhere", 6, "the diff cannot be read: nowhere");
    refused(project, verb + "--in-diff ''", 1, "--in-diff: is empty");
    refused(project, verb + "--in-diff - <junk", 6, "the diff cannot be read");
    refused(project, verb + "--in-diff other", 5, "the diff does not match the tree: src/store.cpp: line 1 is another");
    refused(project, verb + "--in-diff gone", 5, "src/gone.cpp: is not there");
  }
  refused(project, "--since HEAD", 1, "--since: HEAD is no commit that git knows here");
  refused(project, "--since ''", 1, "--since: is empty");
  refused(project, "--in-diff junk --since HEAD", 1, "excludes");
}

TEST_CASE("mutate exits 8 in one line where nothing is selected", "[cli]") {
  Project project;
  add_two(project);
  project.write("empty", "");
  project.write("elsewhere", "--- a/src/unused.cpp\n+++ b/src/unused.cpp\n@@ -1 +1 @@\n-x\n+int never(int n) { return n + 1; }\n");
  for (std::string const verb : {"", "--check ", "--list "}) {
    refused(project, verb + "--in-diff empty", 8, "no mutant is selected");
    refused(project, verb + "--in-diff elsewhere", 8, "no mutant is selected");
    refused(project, verb + "--function count g/a", 8, "no mutant is selected");
  }
  refused(project, "--check --shard 3/3", 8, "shard 3/3 holds none of 2 mutants");
}

TEST_CASE("mutate refuses a selection that it cannot make sense of", "[cli]") {
  Project project;
  add_two(project);
  refused(project, "--file 'no/*'", 1, "--file no/*: no mutant is there");
  refused(project, "--function nobody", 1, "--function nobody: no mutant is there");
  refused(project, "--shard 0/2", 1, "must be k/n");
  refused(project, "--shard ''", 1, "--shard: is empty");
  refused(project, "--shard env", 1, "none of SLURM_ARRAY_TASK_ID");
  refused(project, "--sample 0", 1, "--sample");
  refused(project, "--sample -1", 1, "--sample");
  refused(project, "--max-time 0", 1, "--max-time");
  refused(project, "--max-time soon", 1, "--max-time");
  refused(project, "--threshold 101", 1, "--threshold");
  refused(project, "--threshold x", 1, "--threshold");
  CHECK(says(selected_by_shell(project, "$MUTATE $CATALOG --list --file src/store.cpp --function count"), "g/b"));
  CHECK(selected_by_shell(project, "$MUTATE $CATALOG --list --sample 1").output ==
        selected_by_shell(project, "$MUTATE $CATALOG --list --sample 1").output);
  CHECK(says(selected_by_shell(project, "CI_NODE_INDEX=2 CI_NODE_TOTAL=2 $MUTATE $CATALOG --list --shard env"), "g/b"));
}

TEST_CASE("mutate starts no mutant after --max-time and exits 8 with what is left", "[cli]") {
  Project project;
  add_two(project);
  auto const result = selected_by_shell(project, "$MUTATE $CATALOG --max-time 0.001");
  CHECK(result.exit_code == 8);
  CHECK(says(result, "0 killed + 0 ended otherwise + 0 alive + 0 undecided + 0 set aside + 2 not run = 2"));
  CHECK(says(result, "--max-time: 2 of 2 mutants were not started"));
}

TEST_CASE("mutate exits 11 where too few are killed and all else is as declared", "[cli]") {
  Project project;
  project.add_edit("g/a", "store", Project::swap);
  CHECK(selected_by_shell(project, "$MUTATE $CATALOG --threshold 100").exit_code == 0);
  project.add_edit("g/b", "guard", R"("force_condition":{"condition":"left > 0","value":true})",
                   R"("expects":"timeout","reds":[{"gate":"pairs","law":"pairs"}])");
  project.add_edit("g/c", "guard", R"("force_condition":{"condition":"left > 0","value":true})");
  auto const result = selected_by_shell(project, "$MUTATE $CATALOG --threshold 70 --timeout-factor 0.3");
  CHECK(result.exit_code == 3);
  CHECK(says(result, "--threshold: 66.7 % killed, below 70 %"));
  CHECK(says(result, "killed: 2 of 3 judged, 66.7 %; in the named gate's law: 1, 33.3 %"));
}

TEST_CASE("mutate merges its shards into the unsharded run and refuses half of them", "[cli]") {
  Project project;
  project.add_edit("g/a", "store", Project::swap);
  project.add_edit("g/b", "store", Project::survivor);
  project.add_edit("g/c", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  std::string const run = "$MUTATE --catalog mutants --format json -o ";
  auto const whole = selected_by_shell(project, run + "../whole.json --out ../whole");
  for (std::string const k : {"1", "2", "3", "4"}) {
    int const code = selected_by_shell(project, run + "/dev/null --out ../s" + k + " --shard " + k + "/4").exit_code;
    CHECK(code == (k == "1" ? 0 : k == "2" ? 2 : k == "3" ? 7 : 8));
  }
  auto const merged = selected_by_shell(project, "$MUTATE merge ../s3 ../s1 ../s4 ../s2 --out ../merged");
  CHECK(merged.exit_code == whole.exit_code);
  CHECK(merged.exit_code == 2);
  CHECK(says(merged, "1 killed + 0 ended otherwise + 1 alive + 1 undecided + 0 set aside + 0 not run = 3"));
  CHECK(selected_by_shell(project, "$MUTATE merge ../merged --out ../again").exit_code == 2);
  CHECK(selected_by_shell(project, "$MUTATE merge ../s1 ../s2 ../s3 ../s4 --out ../merged --threshold 60 --format sarif").exit_code == 2);
  auto const refuse = [&](const std::string& words, const std::string& text) {
    auto const result = selected_by_shell(project, "$MUTATE merge " + words);
    INFO(words << ": " << result.output);
    CHECK(result.exit_code == 1);
    CHECK(is_one_line(result.output));
    CHECK(says(result, text));
  };
  refuse("../s1 ../s2 ../s4 --out ../m", "no folder of shard 3/4");
  refuse("../s1 ../whole --out ../m", "different numbers of shards");
  refuse("../s1 ../nowhere --out ../m", "nowhere/plan.json: is not there");
  refuse("../s1 ../s2 ../s3 ../s4 --out ../s1/", "is one of the folders to merge");
  refuse("../s1 ../s2 ../s3 ../s4 --out .", "holds the project");
  refuse("../s1 ../s2 ../s3 ../s4 --out ../m --root nowhere", "nowhere: no such folder");
  refuse("../s1 ../s2 ../s3 ../s4 --out ../m --root mutants", "name its tree with --root");
  refuse("--out ../m", "folders is required");
  refuse("../s1", "--out is required");
}

TEST_CASE("mutate explains a mutant and writes it as a patch that applies", "[cli]") {
  Project project;
  add_two(project);
  project.add_edit("g/stale", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  CHECK(says(selected_by_shell(project, "$MUTATE explain g/a $CATALOG"), "nothing yet"));
  REQUIRE(selected_by_shell(project, "$MUTATE $CATALOG g/a").exit_code == 0);
  auto const explained = selected_by_shell(project, "$MUTATE explain g/a $CATALOG");
  CHECK(explained.exit_code == 0);
  for (const char* text : {"+  total += pair(v, k);", "gate pairs must go red in law pairs", "outcome: killed, as declared",
                           "worst element", "git apply g_a.patch", "./build.sh prog", "gates run pairs --seed 1 --bin out"})
    CHECK(says(explained, text));
  CHECK_FALSE(says(explained, "on other inputs"));
  CHECK(selected_by_shell(project, "$MUTATE apply g/a --catalog mutants && git apply g_a.patch").exit_code == 0);
  CHECK(read(project.root() / "src/store.cpp").find("pair(v, k)") != std::string::npos);
  CHECK(selected_by_shell(project, "patch -s -R -p1 <g_a.patch && $MUTATE apply g/a --catalog mutants -o - | cmp - g_a.patch").exit_code ==
        0);
  auto const again = selected_by_shell(project, "$MUTATE apply g/a --catalog mutants");
  CHECK(again.exit_code == 1);
  CHECK(again.output == "mutate: g_a.patch: is there already; --force writes over it\n");
  CHECK(selected_by_shell(project, "$MUTATE apply g/a --catalog mutants --force").exit_code == 0);
  CHECK(selected_by_shell(project, "$MUTATE apply g/b --catalog mutants -o ../b.patch && git apply --check ../b.patch").exit_code == 0);
  CHECK(selected_by_shell(project, "$MUTATE apply g/stale --catalog mutants").exit_code == 7);
  CHECK(says(selected_by_shell(project, "$MUTATE apply 'g/*' --catalog mutants"), "names 3 mutants; one is wanted"));
  CHECK(selected_by_shell(project, "$MUTATE apply nobody --catalog mutants").exit_code == 1);
  CHECK(selected_by_shell(project, "$MUTATE explain --catalog mutants").exit_code == 1);
  CHECK(selected_by_shell(project, "$MUTATE explain g/a").output == "mutate: --catalog DIR is missing\n");
}

TEST_CASE("mutate writes its reports in each format, and prints the schemas of its files", "[cli]") {
  Project project;
  project.add_edit("g/a", "store", Project::swap);
  for (std::string const format : {"json", "sarif", "elements"}) {
    REQUIRE(selected_by_shell(project, "$MUTATE $CATALOG --format " + format + " -o ../report").exit_code == 0);
    CHECK_NOTHROW(redproof::gates::JsonDocument::read(project.root().parent_path() / "report"));
  }
  for (std::string const name : {"plan", "outcomes", "report", "selection", "end"}) {
    auto const schema = selected_by_shell(project, "$MUTATE schema " + name);
    CHECK(schema.exit_code == 0);
    CHECK(redproof::gates::JsonDocument::parse(schema.output, name).root().at("title").text() == name);
  }
  CHECK(selected_by_shell(project, "$MUTATE schema nothing").exit_code == 1);
  CHECK(selected_by_shell(project, "$MUTATE schema").exit_code == 1);
  CHECK(selected_by_shell(project, "$MUTATE $CATALOG --format html").exit_code == 1);
}
