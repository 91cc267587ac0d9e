// All mutants in one build: the same outcomes as one build each, and what only this way can tell.
#include "mutants/driver/run/schemata_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using test::Project;

namespace {

constexpr const char* sign = R"("replace_expression":{"expression":"-1","with":"-2"})";
constexpr const char* never_ends = R"("force_condition":{"condition":"left > 0","value":true})";

const Record& record_of(const RunReport& report, std::string_view id) {
  return *std::find_if(report.records.begin(), report.records.end(), [&](const Record& record) { return record.id == id; });
}

RunOptions together(const Project& project) {
  RunOptions options = project.options();
  options.planting = schemata;
  options.resume = false;
  return options;
}

}  // namespace

TEST_CASE("killed mutants are chosen at run time, with hits in their gates", "[run]") {
  Project project;
  project.add_edit("g/swap", "store", Project::swap,
                   R"("reds":[{"gate":"pairs","law":"pairs"},{"gate":"both","law":"pairs"}],"keeps_green":[])");
  project.add_edit("g/sign", "store", sign, R"("reds":[{"gate":"both","law":"signs"}],"keeps_green":["pairs","exits"])");
  RunReport const report = run(together(project));
  CHECK(report.exit_code() == 0);
  for (const char* id : {"g/swap", "g/sign"}) {
    const Record& record = record_of(report, id);
    CHECK(record.outcome == Outcome::killed);
    CHECK(record.planting == "schemata");
    CHECK_FALSE(record.build.ran);
    for (const GateRecord& gate : record.gates) CHECK(gate.hits.value_or(0) > 0);
  }
  CHECK(record_of(report, "g/swap").gates.at(0).worst->observed == "42");
}

TEST_CASE("what does not become as declared is judged in a build of its own", "[run]") {
  Project project;
  project.add_edit("g/survivor", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  project.add_edit("g/elsewhere", "store", sign);
  project.add_edit("g/same", "store", R"("replace_expression":{"expression":"total * 2","with":"2 * total"})");
  project.add_edit("g/broken", "store", R"("replace_name":{"name":"pair","with":"no_such_function"})");
  project.add_edit("g/killed", "store", Project::swap);
  RunReport const report = run(together(project));
  CHECK(record_of(report, "g/survivor").outcome == Outcome::survived);
  CHECK(record_of(report, "g/survivor").planting_reason.find("survived beside all others") == 0);
  CHECK(record_of(report, "g/elsewhere").outcome == Outcome::wrong_gate);
  CHECK(record_of(report, "g/same").outcome == Outcome::equivalent);
  CHECK(record_of(report, "g/broken").outcome == Outcome::unviable);
  CHECK(record_of(report, "g/broken").planting_reason.find("does not compile beside the pristine body") == 0);
  CHECK(record_of(report, "g/broken").planting == "one_a_build");
  CHECK(record_of(report, "g/killed").planting == "schemata");
}

TEST_CASE("a mutant that does not end is told by its hits, not by a clock", "[run]") {
  Project project;
  project.add_edit("g/hang", "guard", never_ends, R"("reds":[{"gate":"pairs","law":"pairs"}],"expects":"timeout")");
  RunReport const report = run(together(project));
  const Record& record = report.records.at(0);
  CHECK(record.outcome == Outcome::timeout);
  CHECK(record.as_declared);
  CHECK(record.planting == "schemata");
  CHECK(record.gates.at(0).reason.find("hit limit") == 0);
}

TEST_CASE("a gate that never enters the function on the pristine tree is not run for it", "[run]") {
  Project project;
  project.write("gates/apart.gate.json",
                R"({"id":"apart","claim":"c","theorem":"t","subjects":["cpu"],"run":{"argv":["true"]},"laws":[],"surface":[],"needs":[],)"
                R"("timeout_s":3,"blind_spots":[]})");
  project.add_edit("g/swap", "store", Project::swap, R"("reds":[{"gate":"pairs","law":"pairs"}],"keeps_green":["apart"])");
  project.add_edit("g/unseen", "store", Project::swap, R"("reds":[{"gate":"apart"}])");
  RunReport const report = run(together(project));
  const Record& killed = record_of(report, "g/swap");
  CHECK(killed.as_declared);
  REQUIRE(killed.gates.size() == 2);
  CHECK(killed.gates[1].gate == "apart");
  CHECK(killed.gates[1].hits == std::uint64_t{0});
  CHECK(killed.gates[1].verdict == "green");
  CHECK(record_of(report, "g/unseen").outcome == Outcome::wrong_gate);
}

TEST_CASE("crashes and witnesses are judged as in a build of their own", "[run]") {
  Project project;
  project.add_edit("g/crash", "guard", R"("replace_expression":{"expression":"code","with":"1"})",
                   R"("reds":[{"gate":"pairs","law":"pairs"}],"expects":"crash")");
  project.add_edit("g/oom", "room", R"("replace_expression":{"expression":"bytes","with":"bytes * 1000"})",
                   R"("reds":[{"gate":"pairs","law":"pairs"}],"expects":"oom")");
  project.add_edit("g/like", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})",
                   R"("equivalent":{"witness":{"gate":"both"}})");
  project.add_edit("g/unlike", "store", Project::swap, R"("equivalent":{"witness":{"gate":"both"}})");
  project.add_edit("g/command", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})",
                   R"("equivalent":{"witness":{"argv":["true"]}})");
  RunReport const report = run(together(project));
  CHECK(record_of(report, "g/crash").outcome == Outcome::crash);
  CHECK(record_of(report, "g/crash").planting == "schemata");
  CHECK(record_of(report, "g/like").outcome == Outcome::equivalent);
  CHECK(record_of(report, "g/like").planting == "schemata");
  CHECK(record_of(report, "g/unlike").outcome == Outcome::survived);
  CHECK(record_of(report, "g/command").outcome == Outcome::equivalent);
  CHECK(record_of(report, "g/command").planting_reason == "its witness is a command");
}

TEST_CASE("both plantings are compared, and a tree that is not green with all mutants in it is not used", "[run]") {
  Project project;
  project.add_edit("g/swap", "store", Project::swap);
  project.add_edit("g/sign", "store", sign, R"("reds":[{"gate":"both","law":"signs"}])");
  RunOptions options = together(project);
  options.planting = both;
  RunReport const report = run(options);
  CHECK(report.exit_code() == 0);
  REQUIRE(report.compared.size() == 2);
  CHECK(std::all_of(report.compared.begin(), report.compared.end(), [](const Comparison& one) { return one.agree(); }));
  CHECK(report.records.size() == 2);

  // The program's own text decides its law: more text, another verdict.
  project.write(
      "gates/size.gate.json",
      R"({"id":"size","claim":"c","theorem":"t","subjects":["cpu"],"run":{"argv":["sh","-c","test $(wc -c <src/store.cpp) -lt 600"]},)"
      R"("laws":[],"surface":[],"needs":[],"timeout_s":3,"blind_spots":[]})");
  project.add_edit("g/size", "store", Project::swap, R"("reds":[{"gate":"pairs","law":"pairs"}],"keeps_green":["size"])");
  options.planting = schemata;
  RunReport const alone = run(options);
  CHECK(record_of(alone, "g/swap").planting == "one_a_build");
  CHECK(record_of(alone, "g/swap").planting_reason.find("with no mutant active: gate size") == 0);
  CHECK(alone.exit_code() == 0);
}

namespace {

// `function` of store.cpp in a source of its own, NAME.cpp.
void move_out(Project& project, const std::string& name, const std::string& function) {
  std::string store = test::read(project.root() / "src/store.cpp"), build = test::read(project.root() / "build.sh");
  REQUIRE(store.find(function) != std::string::npos);
  project.write("src/store.cpp", store.erase(store.find(function), function.size()));
  project.write("src/" + name + ".cpp", "namespace demo {\n" + function + "}  // namespace demo\n");
  std::string const close = R"(]' "$PWD")", source = "src/" + name + ".cpp";
  build.replace(
      build.find(close), close.size(),
      R"(,{"directory":"%s","file":")" + source + R"(","arguments":["g++","-std=c++20","-c",")" + source + R"("]}]' "$PWD" "$PWD")");
  build.insert(build.find(" src/main.cpp"), " " + source);
  project.write("build.sh", build);
}

// Red where the source is longer than it was.
void add_size_gate(Project& project, const std::string& name) {
  auto const size = std::to_string(test::read(project.root() / "src" / (name + ".cpp")).size());
  project.write("gates/" + name + "_size.gate.json",
                R"({"id":")" + name + R"(_size","claim":"c","theorem":"t","subjects":["cpu"],"run":{"argv":["sh","-c",)" +
                    R"("\"$REDPROOF_BIN/prog\" >/dev/null; test $(wc -c <src/)" + name + ".cpp) -le " + size +
                    R"("]},"laws":[],"surface":[],"needs":[],"timeout_s":3,"blind_spots":[]})");
}

}  // namespace

TEST_CASE("files whose rewriting shows with no mutant active are left out, and the others are kept", "[run]") {
  Project project;
  move_out(project, "guard", "int guard(int code) {\n  volatile int left = 3;\n  while (left > 0) left = left - 1;\n  return code;\n}\n");
  move_out(project, "room", "long room(long bytes) { return bytes; }\n");
  for (const char* name : {"room", "store"}) add_size_gate(project, name);
  project.add_edit("g/swap", "store", Project::swap, R"("reds":[{"gate":"pairs","law":"pairs"}],"keeps_green":["room_size","store_size"])");
  auto const add = [&](const std::string& name, const std::string& expression, const std::string& with, const std::string& expects) {
    project.add_mutant("g/" + name, R"("edit":{"file":"src/)" + name + R"(.cpp","function":")" + name +
                                        R"(","replace_expression":{"expression":")" + expression + R"(","with":")" + with +
                                        R"("}},"reds":[{"gate":"pairs","law":"pairs"}],"expects":")" + expects + "\"");
  };
  add("guard", "code", "1", "crash");
  add("room", "bytes", "bytes * 1000", "oom");
  for (const char* planting : {schemata, both}) {
    CAPTURE(planting);
    RunOptions options = together(project);
    options.planting = planting;
    RunReport const report = run(options);
    INFO(fmt::format("{}", fmt::join(report.notes, "\n")));
    CHECK(report.exit_code() == 0);
    CHECK(record_of(report, "g/guard").planting == "schemata");
    for (auto const& [id, name] : {std::pair{"g/room", "room"}, std::pair{"g/swap", "store"}}) {
      CHECK(record_of(report, id).planting == "one_a_build");
      CHECK(record_of(report, id).planting_reason ==
            fmt::format("with no mutant active: gate {}_size is red: exit code 1, where src/{}.cpp is rewritten", name, name));
    }
  }
  RunOptions options = project.options();
  options.prepare = true;
  options.out = project.root().parent_path() / "there";
  CHECK(run(options).prepared == 1);
}

TEST_CASE("what is seen in a build of its own alone differs, as what is seen beside all others alone does", "[run]") {
  Project project;
  project.write("kind.sh", "\"$REDPROOF_BIN/prog\" >/dev/null\ntest -n \"$REDPROOF_SCHEMATA\" || grep -q 'pair(k, v)' src/store.cpp\n");
  project.write("gates/kind.gate.json", R"({"id":"kind","claim":"c","theorem":"t","subjects":["cpu"],"run":{"argv":["sh","kind.sh"]},)"
                                        R"("laws":[],"surface":[],"needs":[],"timeout_s":3,"blind_spots":[]})");
  project.add_edit("g/swap", "store", Project::swap, R"("reds":[{"gate":"kind"}])");
  RunOptions options = together(project);
  CHECK(run(options).exit_code() == 0);
  options.planting = both;
  RunReport const report = run(options);
  INFO(fmt::format("{}", fmt::join(report.notes, "\n")));
  CHECK(report.exit_code() == 8);
  REQUIRE(report.compared.size() == 1);
  CHECK(report.compared.front().together == Outcome::wrong_gate);
  CHECK(report.compared.front().alone == Outcome::killed);
  CHECK_THAT(fmt::format("{}", fmt::join(report.notes, "\n")),
             ContainsSubstring("both plantings agree on 0 mutants and differ on 1; 0 can only be built by themselves"));
}

TEST_CASE("what a gate leaves in its temporary folder under one mutant is gone under the next", "[run]") {
  Project project;
  project.write("leaves.sh",
                "test ! -e \"$TMPDIR/left\" || exit 1\n"
                "test $((${#TMPDIR} - ${#REDPROOF_BIN})) -lt 40 || exit 1\n"  // a socket below it has 107 characters in all
                "test \"$(\"$REDPROOF_BIN/prog\")\" = '24 -1 2' || { : >\"$TMPDIR/left\"; exit 1; }\n");
  project.write("gates/leaves.gate.json",
                R"({"id":"leaves","claim":"c","theorem":"t","subjects":["cpu"],"run":{"argv":["sh","leaves.sh"]},)"
                R"("laws":[],"surface":[],"needs":[],"timeout_s":3,"blind_spots":[]})");
  project.add_edit("g/a", "store", Project::swap, R"("reds":[{"gate":"leaves"}])");
  project.add_edit("g/b", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})", R"("reds":[{"gate":"leaves"}])");
  RunOptions options = together(project);
  for (const char* planting : {schemata, one_a_build}) {
    options.planting = planting;
    RunReport const report = run(options);
    CHECK(record_of(report, "g/a").outcome == Outcome::killed);
    CHECK(record_of(report, "g/b").outcome == Outcome::survived);
  }
}

TEST_CASE("both plantings are compared on several trees, those included in which nothing was built before", "[run]") {
  Project project;
  project.add_edit("g/swap", "store", Project::swap);
  project.add_edit("g/sign", "store", sign, R"("reds":[{"gate":"both","law":"signs"}])");
  std::string script = test::read(project.root() / "build.sh");
  script.replace(script.find("  exit 0\nfi\n"), 12, "  touch out/configured\n  exit 0\nfi\ntest -f out/configured || exit 1\n");
  project.write("build.sh", script);
  RunOptions options = together(project);
  options.planting = both;
  options.jobs = 2;
  RunReport const report = run(options);
  INFO((report.notes.empty() ? std::string() : report.notes.back()));
  CHECK(report.exit_code() == 0);
  CHECK(report.compared.size() == 2);
}

TEST_CASE("very few mutants are built by themselves unless it is asked otherwise", "[run]") {
  Project project;
  project.add_edit("g/swap", "store", Project::swap);
  CHECK(project.run().records.at(0).planting == "one_a_build");
  for (const char* id : {"g/a", "g/b", "g/c"}) project.add_edit(id, "store", Project::swap);
  RunOptions options = project.options();
  options.resume = false;
  for (const Record& record : run(options).records) CHECK(record.planting == "schemata");
}
