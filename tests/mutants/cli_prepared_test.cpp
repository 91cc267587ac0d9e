// The program `mutate`: what --prepare leaves is all that --prepared needs, and neither says what a plain run would not.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "gates/runner/json_document.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using redproof::gates::ProcessResult;
using redproof::mutants::test::Project;
using redproof::mutants::test::read;
namespace fs = std::filesystem;
namespace test = redproof::mutants::test;

namespace {

// Two that are chosen at run time and killed, one that survives, and one that does not compile.
void add_four_to_prepare(Project& project) {
  project.add_edit("g/swap", "store", Project::swap);
  project.add_edit("g/sign", "store", R"("replace_expression":{"expression":"-1","with":"-2"})",
                   R"("reds":[{"gate":"both","law":"signs"}])");
  project.add_edit("g/survivor", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  project.add_edit("g/broken", "store", R"("replace_name":{"name":"pair","with":"no_such_function"})");
}

void name_inputs(Project& project, const std::string& inputs) {
  std::string lab = read(project.root() / "mutants/lab.json");
  project.write("mutants/lab.json", lab.insert(lab.rfind('}'), ",\"inputs\":" + inputs));
}

// In the folder above the project, with no program but what is named by its path.
ProcessResult bare_mutate(const Project& project, std::vector<std::string> words) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {test::program_folder() / "mutate"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.cwd = project.root().parent_path();
  spec.unset_env = {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "CI_NODE_INDEX", "MUTATE_JOB_INDEX"};
  return redproof::gates::run_process(spec);
}

ProcessResult prepare(const Project& project) { return bare_mutate(project, {"--catalog", "project/mutants", "--prepare", "there"}); }

std::map<std::string, std::string> outcomes(const fs::path& report) {
  std::map<std::string, std::string> words;
  auto const document = redproof::gates::JsonDocument::read(report);
  for (auto const& mutant : document.root().at("mutants").items())
    words[mutant.at("id").text()] = mutant.at("outcome").text() + (mutant.at("as_declared").boolean() ? "" : " not as declared");
  return words;
}

void refused_prepared(const ProcessResult& result, const std::string& text) {
  INFO(result.output);
  CHECK(result.exit_code == 1);
  CHECK(result.output.find(text) != std::string::npos);
  CHECK(std::count(result.output.begin(), result.output.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("what was prepared runs elsewhere without sources, in shards, to the outcomes of a plain run", "[cli]") {
  Project project;
  add_four_to_prepare(project);
  name_inputs(project, R"(["gate.sh"])");
  fs::path const here = project.root().parent_path();
  REQUIRE(project.mutate({"--planting", "schemata", "--format", "json", "-o", "plain.json"}).exit_code == 2);
  std::string const before = project.hash();
  ProcessResult const prepared = prepare(project);
  INFO(prepared.output);
  CHECK(prepared.exit_code == 7);  // one is unviable, and that is known here
  CHECK(prepared.output.find("3 of 4 mutants are prepared: mutate --prepared") != std::string::npos);
  CHECK(project.hash() == before);
  CHECK_FALSE(fs::exists(here / "there/tree/src"));
  CHECK(fs::exists(here / "there/tree/gate.sh"));

  fs::rename(here / "there", here / "moved");
  fs::rename(project.root(), here / "hidden");
  std::string const untouched = read(here / "moved/outcomes.jsonl");
  for (std::string const k : {"1", "2"}) {
    ProcessResult const shard = bare_mutate(project, {"--prepared", "moved", "--shard", k + "/2", "--out", "out" + k});
    INFO(shard.output);
    CHECK(fs::exists(here / ("out" + k) / "end.json"));
  }
  CHECK(read(here / "moved/outcomes.jsonl") == untouched);
  fs::rename(here / "hidden", project.root());
  auto const merged =
      bare_mutate(project, {"merge", "out1", "out2", "--root", "project", "--out", "merged", "--format", "json", "-o", "merged.json"});
  CHECK(merged.exit_code == 2);
  CHECK(outcomes(here / "merged.json") == outcomes(here / "plain.json"));
  CHECK(outcomes(here / "merged.json").at("g/swap") == "killed");
}

TEST_CASE("generated mutants are prepared too, and have the outcomes of a plain run", "[cli]") {
  Project project;
  name_inputs(project, R"(["gate.sh"])");
  fs::path const here = project.root().parent_path();
  std::vector<std::string> const these{"--generate", "src/store.cpp", "--operators", "arithmetic,relational"};
  auto plain = these;
  plain.insert(plain.end(), {"--planting", "schemata", "--format", "json", "-o", "plain.json"});
  REQUIRE(project.mutate(plain).exit_code == 0);
  std::vector<std::string> preparing{"--catalog", "project/mutants", "--prepare", "there"};
  preparing.insert(preparing.end(), these.begin(), these.end());
  ProcessResult const prepared = bare_mutate(project, preparing);
  INFO(prepared.output);
  CHECK(prepared.exit_code == 0);
  ProcessResult const there = bare_mutate(project, {"--prepared", "there", "--out", "out", "--format", "json", "-o", "there.json"});
  INFO(there.output);
  CHECK(there.exit_code == 0);
  auto const found = outcomes(here / "there.json");
  CHECK(found == outcomes(here / "plain.json"));
  CHECK(std::count_if(found.begin(), found.end(), [](const auto& one) { return one.second == "killed"; }) > 2);
}

TEST_CASE("a prepared run goes on where it was interrupted, and takes names", "[cli]") {
  Project project;
  add_four_to_prepare(project);
  REQUIRE(prepare(project).exit_code == 7);
  CHECK(bare_mutate(project, {"--prepared", "there", "g/swap", "--out", "out"}).exit_code == 0);
  ProcessResult const again = bare_mutate(project, {"--prepared", "there", "g/s*", "--out", "out"});
  CHECK(again.exit_code == 2);
  CHECK(again.output.find("g/swap  pairs/pairs  0") != std::string::npos);
  CHECK(again.output.find("(from an earlier run on the same inputs)") != std::string::npos);
  refused_prepared(bare_mutate(project, {"--prepared", "there", "g/none", "--out", "out"}), "g/none");
}

TEST_CASE("what was prepared must be whole, unchanged and as green as where it was made", "[cli]") {
  Project project;
  add_four_to_prepare(project);
  project.write("data", "24\n");
  project.write("gates/exits.gate.json",
                R"({"id":"exits","claim":"c","theorem":"t","subjects":["cpu"],"run":{"argv":["grep","-q","24","data"]},"laws":[],)"
                R"("surface":[],"needs":[],"timeout_s":3,"blind_spots":[]})");
  project.add_edit("g/data", "store", Project::swap, R"("reds":[{"gate":"pairs","law":"pairs"},{"gate":"exits"}])");
  name_inputs(project, R"(["gate.sh"])");
  fs::path const there = project.root().parent_path() / "there";
  REQUIRE(prepare(project).exit_code == 7);

  SECTION("an input that was not named is missed before any mutant counts") {
    ProcessResult const result = bare_mutate(project, {"--prepared", "there", "--out", "out"});
    INFO(result.output);
    CHECK(result.exit_code == 4);
    CHECK(result.output.find("with no mutant active: gate exits is red") != std::string::npos);
    CHECK(result.output.find("killed          g/") == std::string::npos);
  }
  SECTION("a program that is another") {
    test::write(there / "tree/out/prog", "#!/bin/sh\n");
    refused_prepared(bare_mutate(project, {"--prepared", "there", "--out", "out"}), "there/tree: is not the tree that was prepared");
  }
  SECTION("a preparation that did not end") {
    fs::remove(there / "end.json");
    refused_prepared(bare_mutate(project, {"--prepared", "there", "--out", "out"}), "end.json: is not there");
  }
  SECTION("an output folder of a plain run") {
    fs::remove(there / "prepared.json");
    refused_prepared(bare_mutate(project, {"--prepared", "there", "--out", "out"}), "mutate --prepare did not leave this folder");
  }
  SECTION("a preparation that was interrupted") {
    std::string end = read(there / "end.json");
    REQUIRE(end.find("\"exit_codes\": []") != std::string::npos);
    test::write(there / "end.json", end.replace(end.find("[]"), 2, "[130]"));
    refused_prepared(bare_mutate(project, {"--prepared", "there", "--out", "out"}), "was not prepared to the end");
  }
  SECTION("a report that shows sources") {
    refused_prepared(bare_mutate(project, {"--prepared", "there", "--format", "sarif", "--out", "out"}), "--format sarif");
  }
  SECTION("an output folder that is the prepared one") {
    refused_prepared(bare_mutate(project, {"--prepared", "there", "--out", "there"}), "--out");
    CHECK(fs::exists(there / "prepared.json"));
  }
}

TEST_CASE("a gate that is skipped where it is prepared is proved where the mutants run, and nothing is said where it is skipped there too",
          "[cli]") {
  Project project;
  project.add_edit("g/swap", "store", Project::swap);
  std::string gate = read(project.root() / "gates/pairs.gate.json");
  gate.replace(gate.find(R"("needs":[])"), 10, R"("needs":["env:REDPROOF_TEST_DEVICE"])");
  project.write("gates/pairs.gate.json", gate);
  name_inputs(project, R"(["gate.sh"])");
  unsetenv("REDPROOF_TEST_DEVICE");
  ProcessResult const prepared = prepare(project);
  INFO(prepared.output);
  CHECK(prepared.exit_code == 0);
  CHECK(prepared.output.find("gate pairs is skipped here (needs env:REDPROOF_TEST_DEVICE): it is proved where the mutants run") !=
        std::string::npos);
  ProcessResult const without = bare_mutate(project, {"--prepared", "there", "--out", "without"});
  CHECK(without.exit_code == 4);
  CHECK(without.output.find("with no mutant active: gate pairs is skipped") != std::string::npos);
  setenv("REDPROOF_TEST_DEVICE", "1", 1);
  ProcessResult const there = bare_mutate(project, {"--prepared", "there", "--out", "out"});
  unsetenv("REDPROOF_TEST_DEVICE");
  INFO(there.output);
  CHECK(there.exit_code == 0);
  CHECK(there.output.find("1 killed + 0 ended otherwise + 0 alive") != std::string::npos);
}

TEST_CASE(
    "what has to be built alone and is judged by a gate that is skipped there is told so here too, and is no mutant that time ran out for",
    "[cli]") {
  Project project;
  project.add_edit("g/swap", "store", Project::swap);
  project.write("mutants/g/text.mutant.json",
                R"({"id":"g/text","defect":"d","reds":[{"gate":"pairs","law":"pairs"}],)"
                R"("edit":{"file":"src/main.cpp","text":{"find":"const code = ","replace":"const code = 4 +"}}})");
  std::string gate = read(project.root() / "gates/pairs.gate.json");
  project.write("gates/pairs.gate.json", gate.replace(gate.find(R"("needs":[])"), 10, R"("needs":["env:REDPROOF_TEST_DEVICE"])"));
  name_inputs(project, R"(["gate.sh"])");
  unsetenv("REDPROOF_TEST_DEVICE");
  ProcessResult const prepared = prepare(project);
  INFO(prepared.output);
  CHECK(prepared.exit_code == 8);
  CHECK(prepared.output.find("1 of 2 mutants are prepared") != std::string::npos);
  setenv("REDPROOF_TEST_DEVICE", "1", 1);
  ProcessResult const there = bare_mutate(project, {"--prepared", "there", "--out", "out"});
  unsetenv("REDPROOF_TEST_DEVICE");
  INFO(there.output);
  CHECK(there.exit_code == 8);
  CHECK(there.output.find("1 killed + 0 ended otherwise + 0 alive + 1 undecided") != std::string::npos);
  CHECK(there.output.find("no_evidence     g/text: gate pairs is skipped: needs env:REDPROOF_TEST_DEVICE") != std::string::npos);
  CHECK(there.output.find("--max-time") == std::string::npos);
}

TEST_CASE("what could be chosen at run time is counted as prepared, not what nobody built in time", "[cli]") {
  Project project;
  add_four_to_prepare(project);
  ProcessResult const result = bare_mutate(project, {"--catalog", "project/mutants", "--prepare", "there", "--max-time", "0.001"});
  INFO(result.output);
  CHECK(result.output.find("3 of 4 mutants are prepared") != std::string::npos);
  CHECK(result.output.find("generated") == std::string::npos);
}

TEST_CASE("what a prepared folder has fixed cannot be asked for", "[cli]") {
  Project project;
  add_four_to_prepare(project);
  for (const char* option : {"--catalog", "--seed", "--planting", "--file"})
    refused_prepared(bare_mutate(project, {"--prepared", "there", option, option == std::string("--planting") ? "both" : "1"}), option);
  refused_prepared(bare_mutate(project, {"--catalog", "project/mutants", "--prepare", "there", "--out", "out"}), "--prepare");
  refused_prepared(bare_mutate(project, {"--prepared", "nowhere"}), "nowhere: no such folder");
}

TEST_CASE("where nothing can be chosen at run time, nothing is prepared", "[cli]") {
  Project project;
  project.add_mutant("g/text", R"("edit":{"file":"build.sh","text":{"find":"-O1","replace":"-O0"}},)" + Project::reds);
  ProcessResult const result = prepare(project);
  INFO(result.output);
  CHECK(result.exit_code == 1);
  CHECK(result.output.find("--prepare: no mutant can be run elsewhere, since no mutant can be chosen at run time") != std::string::npos);
}
