// The program `mutate` with a cache of verdicts: what it takes from there, what it does not, and which files it refuses.
#include <array>
#include <filesystem>
#include <map>

#include "gates/runner/json_document.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/shell.h"

using redproof::gates::ProcessResult;
using redproof::mutants::test::Project;
using redproof::mutants::test::read;
namespace fs = std::filesystem;
namespace test = redproof::mutants::test;

using redproof::mutants::test::says;

namespace {

// Objects and an archive, of which no program holds `spare`; `tests` is compiled by nobody.
constexpr const char* two_sources_build = R"(#!/bin/sh
set -e
mkdir -p out
if [ "$1" = configure ]; then
  comma='['
  for unit in store main spare tests; do
    printf '%s{"directory":"%s","file":"src/%s.cpp","arguments":["g++","-std=c++20","-O1","-c","-o","out/%s.o","src/%s.cpp"]}' \
      "$comma" "$PWD" $unit $unit $unit
    comma=,
  done >out/compile_commands.json
  printf ']' >>out/compile_commands.json
  exit 0
fi
rm -f out/spare.a
for unit in store main spare; do g++ -std=c++20 -O1 -c -o out/$unit.o src/$unit.cpp; done
ar rcD out/spare.a out/spare.o
g++ -o out/prog.new out/store.o out/main.o out/spare.a
mv out/prog.new out/prog
)";

// A header with what no program uses, and an archive whose code no program holds.
class Cached {
 public:
  Cached() {
    project.write("src/store.h", "inline int twin(int k, int v) { return k + 11 * v; }\n#define WIDE 20\n");
    project.write("src/spare.cpp", "namespace demo {\nint spare(int k, int v) { return 10 * v + k; }\n}  // namespace demo\n");
    project.write("src/tests.cpp", "#include \"store.h\"\nint main() { return twin(0, 0); }\n");
    std::string const store = read(project.root() / "src/store.cpp");
    project.write("src/store.cpp", "#include \"store.h\"\nnamespace demo {\nint spare(int k, int v);\n}  // namespace demo\n" + store);
    project.write("build.sh", two_sources_build);
    project.write("notes.md", "Notes.\n");
    project.write("data.md", "an input\n");
    std::string lab = read(project.root() / "mutants/lab.json");
    project.write("mutants/lab.json", lab.insert(lab.rfind('}'), R"(,"inputs":["gate.sh","data.md"])"));
  }

  // A shell's script in the folder above the project; `judge WORDS` is mutate with a cache there.
  ProcessResult by_shell(const std::string& script, const std::string& cache = "--cache cache.db") const {
    redproof::gates::ProcessSpec spec;
    spec.argv = {"sh", "-c",
                 "judge() { \"$MUTATE\" --catalog \"${PROJECT:-project}/mutants\" --no-resume " + cache + " \"$@\"; }; " + script};
    spec.cwd = at("");
    spec.set_env = {{"MUTATE", (test::program_folder() / "mutate").string()}};
    return redproof::gates::run_process(spec);
  }

  fs::path at(const std::string& name) const { return project.root().parent_path() / name; }

  // Of a report in JSON, by id: the outcome, and whether it came from the cache.
  std::map<std::string, std::pair<std::string, bool>> outcomes(const std::string& report = "report") const {
    std::map<std::string, std::pair<std::string, bool>> words;
    auto const document = redproof::gates::JsonDocument::read(at(report));
    for (auto const& mutant : document.root().at("mutants").items())
      words[mutant.at("id").text()] = {mutant.at("outcome").text(), mutant.at("cached").boolean()};
    return words;
  }

  // "killed", or "killed, cached"
  std::string outcome(const std::string& id, const std::string& words = "") const {
    fs::remove(at("report"));
    auto const result = by_shell("judge --format json -o report " + words + " " + id);
    INFO(result.output);
    REQUIRE(fs::exists(at("report")));
    auto const& [word, cached] = outcomes().at(id);
    return word + (cached ? ", cached" : "");
  }

  // What it is while `from` is `to` in a file; then the file is as before.
  std::string outcome_with(const std::string& id, const std::string& file, const std::string& from, const std::string& to) {
    std::string const before = read(project.root() / file);
    auto const place = before.find(from);
    REQUIRE(place != std::string::npos);
    project.write(file, std::string(before).replace(place, from.size(), to));
    std::string const word = outcome(id);
    project.write(file, before);
    return word;
  }

  Project project;
};

void add_four_endings(Project& project) {
  project.add_edit("g/swap", "store", Project::swap);
  project.add_edit("g/sign", "store", R"("replace_expression":{"expression":"-1","with":"-2"})",
                   R"("reds":[{"gate":"both","law":"signs"}])");
  project.add_edit("g/survivor", "store", Project::survivor);
  project.add_edit("g/refused", "store", R"("replace_name":{"name":"pair","with":"nothing"})", R"("reds":{"build":"nothing"})");
}

}  // namespace

TEST_CASE("a run in another clone and output folder takes every settled outcome from the cache, and ends with the same code", "[cache]") {
  Cached cached;
  add_four_endings(cached.project);
  auto const first = cached.by_shell("judge --format json -o first; echo code $?");
  fs::copy(cached.project.root(), cached.at("clone"), fs::copy_options::recursive);
  auto const second = cached.by_shell("PROJECT=clone judge --out elsewhere --format json -o second; echo code $?");
  INFO(first.output << second.output);
  CHECK(first.output.ends_with("code 2\n"));
  CHECK(second.output.ends_with("code 2\n"));
  auto const before = cached.outcomes("first"), after = cached.outcomes("second");
  CHECK(before.at("g/swap") == std::pair{std::string("killed"), false});
  CHECK(before.at("g/survivor") == std::pair{std::string("survived"), false});
  CHECK(before.at("g/refused") == std::pair{std::string("killed_by_build"), false});
  REQUIRE(after.size() == 4);
  for (auto const& [id, outcome] : after) CHECK(outcome == std::pair{before.at(id).first, true});
  CHECK(says(first, "building the tree with all mutants in it"));
  CHECK_FALSE(says(second, "building the tree with all mutants in it"));
  auto const third = cached.by_shell("judge", "--cache ./cache.db");
  CHECK(says(third, "note: 4 of 4 outcomes from the cache " + cached.at("cache.db").string()));
  CHECK(says(cached.by_shell("\"$MUTATE\" explain g/swap --catalog project/mutants"), "(from the cache)"));
}

TEST_CASE("what no program is made of may change, and outcomes still come from the cache", "[cache]") {
  Cached cached;
  cached.project.add_edit("g/m", "store", Project::swap);
  CHECK(cached.outcome("g/m") == "killed");
  std::string const known = "killed, cached";
  CHECK(cached.outcome("g/m") == known);
  CHECK(cached.outcome_with("g/m", "notes.md", "Notes", "More notes") == known);
  CHECK(cached.outcome_with("g/m", "src/spare.cpp", "namespace demo {", "// A comment.\n// Two lines.\nnamespace demo {") == known);
  CHECK(cached.outcome_with("g/m", "src/store.cpp", "return total", "/* all */ return total") == known);
  CHECK(cached.outcome_with("g/m", "src/store.h", "return k", "return /* first */ k") == known);
  CHECK(cached.outcome_with("g/m", "src/tests.cpp", "twin(0, 0)", "twin(1, 0)") == known);
  cached.project.write("src/unseen.cpp", "int unseen() { return 1; }\n");
  cached.project.add_edit("g/other", "count", R"("replace_expression":{"expression":"n","with":"0"})");
  CHECK(cached.outcome("g/m") == known);
}

TEST_CASE("whatever decides an outcome may not change where it comes from the cache", "[cache]") {
  Cached cached;
  cached.project.add_edit("g/m", "store", Project::swap);
  CHECK(cached.outcome("g/m") == "killed");
  for (auto const& [file, from, to] : std::vector<std::array<std::string, 3>>{{"src/main.cpp", "%d %d %d", "%d %d  %d"},
                                                                              {"src/store.cpp", "return n;", "return n + 0 * n;"},
                                                                              {"gates/pairs.gate.json", "\"c\"", "\"d\""},
                                                                              {"gates/exits.gate.json", "\"c\"", "\"d\""},
                                                                              {"mutants/lab.json", "{", "{ "},
                                                                              {"mutants/g/m.mutant.json", "one defect", "a defect"},
                                                                              {"data.md", "an input", "another"},
                                                                              {"gate.sh", "total=0", "total=00"},
                                                                              {"build.sh", "set -e", "set -e -f"}}) {
    INFO(file);
    CHECK(cached.outcome_with("g/m", file, from, to) == "killed");
  }
  CHECK(cached.outcome("g/m") == "killed, cached");
  for (const char* const words : {"--seed 2", "--timeout-factor 2", "--matrix", "--planting schemata"})
    CHECK(cached.outcome("g/m", words) == "killed");
}

TEST_CASE("what the mutant alone uses may not change, though no program holds it", "[cache]") {
  Cached cached;
  cached.project.add_edit("g/twin", "store", R"("replace_name":{"name":"pair","with":"twin"})");
  cached.project.add_edit("g/wide", "store", R"("replace_literal":{"literal":"2","with":"WIDE"})");
  cached.project.add_edit("g/spare", "store", R"("replace_name":{"name":"pair","with":"spare"})");
  for (const char* const id : {"g/twin", "g/wide", "g/spare"}) {
    CHECK(cached.outcome(id) == "killed");
    CHECK(cached.outcome(id) == "killed, cached");
  }
  CHECK(cached.outcome_with("g/twin", "src/store.h", "k + 11 * v", "v + 10 * k") == "equivalent");
  CHECK(cached.outcome_with("g/wide", "src/store.h", "20", " 2") == "equivalent");
  CHECK(cached.outcome_with("g/spare", "src/spare.cpp", "10 * v + k", "10 * k + v") == "survived");
}

TEST_CASE("a header that a folder in front now holds is another, though no program uses it", "[cache]") {
  Cached cached;
  std::string script = read(cached.project.root() / "build.sh");
  for (auto at = script.find("-O1"); at != std::string::npos; at = script.find("-O1", at + 5))
    script.replace(at, 3, script[at + 3] == '"' ? R"(-O1","-Inear","-Ifar)" : "-O1 -Inear -Ifar");
  cached.project.write("build.sh", script);
  cached.project.write("near/other.h", "");
  cached.project.write("far/limit.h", "#define LIMIT 20\n");
  std::string const store = read(cached.project.root() / "src/store.cpp");
  cached.project.write("src/store.cpp", "#include \"limit.h\"\n" + store);
  cached.project.add_edit("g/m", "store", R"("replace_literal":{"literal":"2","with":"LIMIT"})");
  CHECK(cached.outcome("g/m") == "killed");
  CHECK(cached.outcome("g/m") == "killed, cached");
  cached.project.write("near/limit.h", "#define LIMIT 2\n");
  CHECK(cached.outcome("g/m") == "equivalent");
}

TEST_CASE("an outcome that rests on a gate that is not deterministic is not kept", "[cache]") {
  Cached cached;
  cached.project.write("gates/words.gate.json",
                       R"({"id":"words","claim":"c","theorem":"t","subjects":["cpu"],"timeout_s":20,"run":{"argv":["sh","-c",)"
                       R"("tr -dc a-z </dev/urandom | head -c 30; test \"$($REDPROOF_BIN/prog | cut -d' ' -f1)\" = 24"]}})");
  cached.project.add_edit("g/m", "store", Project::swap, R"("reds":[{"gate":"words"}])");
  CHECK(cached.outcome("g/m") == "killed");
  CHECK(cached.outcome("g/m") == "killed");
}

TEST_CASE("a cache is named by an option or a variable, and neither read nor made where nothing runs or all is shown", "[cache]") {
  Cached cached;
  cached.project.add_edit("g/m", "store", Project::swap);
  std::string const variable = "export REDPROOF_VERDICTS=named.db; ";
  for (const char* const words : {"--list", "--check", "--dry-run", "--no-cache", "--planting both", "--no-cache --resume"}) {
    INFO(words);
    CHECK(cached.by_shell(variable + "judge " + words, "").exit_code == 0);
    CHECK_FALSE(fs::exists(cached.at("named.db")));
  }
  CHECK(cached.by_shell("REDPROOF_VERDICTS= judge", "").exit_code == 0);
  CHECK(cached.by_shell(variable + "judge").exit_code == 0);
  CHECK(fs::exists(cached.at("cache.db")));
  CHECK_FALSE(fs::exists(cached.at("named.db")));
  CHECK(says(cached.by_shell(variable + "judge; judge", ""), "1 of 1 outcomes from the cache " + cached.at("named.db").string()));
  CHECK(says(cached.by_shell(variable + "judge --no-cache", ""), "killed: 1 of 1 judged"));
  CHECK_FALSE(says(cached.by_shell(variable + "judge --no-cache", ""), "from the cache"));
  for (const char* const words : {"judge --no-cache", "judge --cache ''", "judge --prepare there", "judge --prepared there"})
    CHECK(cached.by_shell(words).exit_code == 1);
}

TEST_CASE("the planting that `auto` became counts, and not the word", "[cache]") {
  Cached cached;
  add_four_endings(cached.project);
  CHECK(cached.by_shell("judge").exit_code == 2);
  CHECK(cached.outcome("g/swap", "--planting schemata") == "killed, cached");
  CHECK(cached.outcome("g/swap") == "killed");
  CHECK(cached.outcome("g/swap") == "killed, cached");
  CHECK(cached.outcome("g/swap", "--planting one_a_build") == "killed, cached");
}

TEST_CASE("what few mutants left of many became by themselves is known when they are many again", "[cache]") {
  Cached cached;
  add_four_endings(cached.project);
  CHECK(cached.by_shell("judge").exit_code == 2);
  std::string const file = "mutants/g/sign.mutant.json", text = read(cached.project.root() / file);
  cached.project.write(file, std::string(text).replace(text.find("one defect"), 10, "another defect"));
  CHECK(says(cached.by_shell("judge"), "3 of 4 outcomes from the cache"));
  CHECK(says(cached.by_shell("judge"), "4 of 4 outcomes from the cache"));
  CHECK(cached.outcome("g/sign", "--planting schemata") == "killed");
}

TEST_CASE("an outcome from the cache says of the planted files what was stored", "[cache]") {
  Cached cached;
  add_four_endings(cached.project);
  auto const restored = [&] {
    std::map<std::string, bool> is_restored;
    CHECK(cached.by_shell("judge --format json -o report").exit_code == 2);
    auto const document = redproof::gates::JsonDocument::read(cached.at("report"));
    for (auto const& mutant : document.root().at("mutants").items())
      is_restored[mutant.at("id").text()] = !mutant.at("files").items().at(0).at("restored").text().empty();
    fs::remove(cached.at("report"));
    return is_restored;
  };
  auto const first = restored();
  CHECK_FALSE(first.at("g/swap"));
  CHECK(first.at("g/refused"));
  CHECK(restored() == first);
  CHECK(cached.outcome("g/swap", "--planting schemata") == "killed, cached");
}

TEST_CASE("an outcome that the memory limit decided is not kept, and its gate says so", "[cache]") {
  Cached cached;
  cached.project.write("gates/room.gate.json",
                       R"({"id":"room","claim":"c","theorem":"t","subjects":["cpu"],"timeout_s":20,"run":{"argv":["sh","-c",)"
                       R"("told=$($REDPROOF_BIN/prog) || { echo \"$told\"; exit 1; }"]}})");
  std::string const room = R"("replace_expression":{"expression":"bytes","with":"1000 * bytes"})";
  cached.project.add_edit("g/m", "room", room, R"("reds":[{"gate":"room"}])");
  CHECK(cached.outcome("g/m") == "killed");
  auto const report = redproof::gates::JsonDocument::read(cached.at("report"));
  CHECK(report.root().at("mutants").items().at(0).at("gates").items().at(0).at("out_of_memory").boolean());
  CHECK(cached.outcome("g/m") == "killed");
  cached.project.add_edit("g/m", "room", room,
                          R"("equivalent":{"witness":{"argv":["sh","-c","told=$(out/prog) || { echo \"$told\"; exit 1; }"]}})");
  CHECK(cached.outcome("g/m") == "oom");
}
