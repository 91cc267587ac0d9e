// The program `mutate --generate`: how its mutants are named, narrowed, explained, judged and divided.
#include <algorithm>
#include <sstream>

#include "gates/runner/json_document.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/shell.h"

using redproof::gates::ProcessResult;
using redproof::mutants::test::Project;
using redproof::mutants::test::read;
namespace test = redproof::mutants::test;

using redproof::mutants::test::says;

namespace {

// $MUTATE stands for the program, and `mutate` too.
ProcessResult from_path(const Project& project, const std::string& script) {
  return test::run_script(project, script, {{"PATH", test::program_folder().string() + ":" + std::getenv("PATH")}});
}

// With what is built for mutants that name no targets, and a compile database for those that are only listed.
struct Sources : Project {
  Sources() {
    std::string lab = read(root() / "mutants/lab.json");
    write("mutants/lab.json", lab.insert(1, R"("targets":["prog"],)"));
    write("build/x/compile_commands.json",
          R"([{"directory":")" + root().string() + R"(","file":"src/store.cpp","command":"g++ -std=c++20 -c src/store.cpp"}])");
    write(".gitignore", "build\n");
  }
};

std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" \n")); }

}  // namespace

TEST_CASE("--generate takes paths behind it, or behind the options that follow it, and none is refused", "[cli]") {
  Sources const project;
  auto const behind = from_path(project, "$MUTATE --generate src/store.cpp --operators relational --list");
  CHECK(behind.exit_code == 0);
  CHECK(says(behind, "relational/"));
  CHECK(from_path(project, "$MUTATE --generate --operators relational src/store.cpp --list").output == behind.output);
  CHECK(from_path(project, "$MUTATE --generate --list src/store.cpp --operators relational").output == behind.output);
  for (const char* words : {"--generate", "--generate --list"}) {
    auto const none = from_path(project, "$MUTATE " + std::string(words));
    CHECK(none.exit_code == 1);
    CHECK(none.output == "mutate: --generate: name files, folders or globs of sources\n");
  }
  for (const char* words : {"--generate ''", "--generate src/store.cpp ''", "--generate '' --list src/store.cpp"})
    CHECK(from_path(project, "$MUTATE " + std::string(words)).output == "mutate: --generate: is empty\n");
}

TEST_CASE("a dry run says how long a run takes by what the last one took", "[cli]") {
  Sources const project;
  std::string const words = "$MUTATE --generate src/store.cpp --operators relational --out ../out --jobs 1";
  CHECK(says(from_path(project, words + " --dry-run"), "6 to run; no earlier run tells how long that takes\n"));
  REQUIRE(from_path(project, words).exit_code == 0);
  CHECK(says(from_path(project, words + " --dry-run"), "6 to run, 6 of them ran before: about 0."));
}

TEST_CASE("operators go with --generate alone", "[cli]") {
  Sources project;
  project.add_edit("g/a", "store", Project::swap);
  for (const char* words : {"--catalog mutants --operators relational --list", "explain g/a --catalog mutants --operators relational",
                            "apply g/a --catalog mutants --operators relational -o -"}) {
    auto const refused = from_path(project, "$MUTATE " + std::string(words));
    CHECK(refused.exit_code == 1);
    CHECK(refused.output == "mutate: --operators: goes with --generate; the mutants of a catalogue have no operators\n");
  }
}

TEST_CASE("a generated mutant is explained with commands that plant it, and the gates that saw it", "[cli]") {
  Sources const project;
  REQUIRE(from_path(project, "git init -q . && git add . && git commit -qm one").exit_code == 0);
  std::string const options = " --generate src/store.cpp --operators arithmetic,relational ";
  REQUIRE(from_path(project, "$MUTATE" + options + "--out ../out").exit_code == 0);
  std::string const killed = first_word(read(project.root().parent_path() / "out/killed.txt"));
  auto const explained = from_path(project, "$MUTATE explain " + killed + options + "--out ../out");
  CHECK(explained.exit_code == 0);
  CHECK(says(explained, "any gate"));
  CHECK(says(explained, "  gates run "));
  std::istringstream lines(explained.output.substr(explained.output.find("by hand")));
  std::string apply;
  while (std::getline(lines, apply) && apply.find("mutate apply") == std::string::npos) continue;
  auto const by_hand = from_path(project, "set -e; " + apply + " && git apply *.patch && ! git diff --quiet src/store.cpp");
  INFO(apply << by_hand.output);
  CHECK(by_hand.exit_code == 0);
}

TEST_CASE("generated mutants of a changed function, and all where a gate changed, are selected", "[cli]") {
  Sources const project;
  std::string const list = "$MUTATE --generate src/store.cpp --list";
  std::string const all = from_path(project, "git init -q . && git add . && git commit -qm one; " + list).output;
  auto const none = from_path(project, list + " --since HEAD");
  CHECK(none.exit_code == 8);
  auto const some = from_path(project, "sed -i 's/k < 0/k <  0/' src/store.cpp && " + list + " --since HEAD");
  CHECK(some.exit_code == 0);
  CHECK(says(some, " in store ("));
  CHECK_FALSE(says(some, " in count ("));
  auto const gate = from_path(project, "git checkout -q . && echo '# more' >>gate.sh && " + list + " --since HEAD");
  CHECK(gate.exit_code == 0);
  CHECK(gate.output == all);
}

TEST_CASE("shards of generated mutants merge to the run of all", "[cli]") {
  Sources const project;
  auto const result = from_path(project,
                                "set -e; g='--generate src/store.cpp --operators arithmetic,relational,constant --format json'\n"
                                "$MUTATE $g --out ../all -o ../all.json\n"
                                "for k in 1 2; do $MUTATE $g --out ../part$k --shard $k/2 -o ../part$k.json; done\n"
                                "$MUTATE merge ../part1 ../part2 --out ../merged --format json -o ../merged.json");
  INFO(result.output);
  REQUIRE(result.exit_code == 0);
  auto const outcomes = [&](const char* file) {
    std::string text;
    auto const document = redproof::gates::JsonDocument::read(project.root().parent_path() / file);
    for (auto const& mutant : document.root().at("mutants").items())
      text += mutant.at("id").text() + " " + mutant.at("outcome").text() + "\n";
    return text;
  };
  CHECK(outcomes("all.json") == outcomes("merged.json"));
}

TEST_CASE("the reason of a skipped line is in the report, and a skip that suppresses nothing is told", "[cli]") {
  Sources project;
  std::string source = read(project.root() / "src/store.cpp");
  std::string const line = "  return total * 2;\n";
  source.replace(source.find(line), line.size(), "  return total * 2;  // mutate: skip the factor is a unit\n");
  project.write("src/store.cpp", source + "// mutate: skip nothing is here\n");
  auto const result = from_path(project, "$MUTATE --generate src/store.cpp --operators arithmetic --out ../out");
  CHECK(result.exit_code == 0);
  CHECK(says(result, "the factor is a unit"));
  CHECK(says(result, "nothing is here"));
}

TEST_CASE("a survivor whose function the compiler may have run gets a build of its own", "[cli]") {
  Sources project;
  project.write("src/store.cpp",
                "namespace demo {\nconstexpr int twice(int n) { return n * 2; }\nconstexpr int ten = twice(5);\n"
                "int store(int k, int v) { return k < 0 ? -1 : 2 * (ten * k + v) + 0 * twice(k); }\nint count(int n) { return n; }\n"
                "int guard(int code) { return code; }\nlong room(long bytes) { return bytes; }\n}  // namespace demo\n");
  auto const result = from_path(project,
                                "$MUTATE --generate src/store.cpp --function twice --operators arithmetic --planting schemata "
                                "--out ../out --format json -o ../report.json");
  INFO(result.output);
  CHECK(result.exit_code == 0);
  auto const document = redproof::gates::JsonDocument::read(project.root().parent_path() / "report.json");
  auto const mutants = document.root().at("mutants").items();
  REQUIRE(mutants.size() == 1);
  CHECK(mutants.front().at("outcome").text() == "killed");
  CHECK(mutants.front().at("planting").text() == "one_a_build");
}
