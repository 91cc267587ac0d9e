// What is asked of the pristine tree before anything is planted.
#include "mutants/driver/run/lab_run.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using test::Project;
namespace fs = std::filesystem;

TEST_CASE("a program of lab.json that the pristine build does not make is refused by name, alone or among others", "[run]") {
  Project project;
  project.add_edit("g/a", "store", Project::swap);
  std::string const lab = test::read(project.root() / "mutants/lab.json");
  for (std::string const programs :
       {R"("out/prog","out/nope")", R"("out/nope","out/prog")", R"("out/nope")", R"("out/nope","out","out/none")"}) {
    std::string text = lab;
    project.write("mutants/lab.json", text.replace(text.find(R"("out/prog")"), 10, programs));
    auto const result = project.mutate({"--format", "json", "-o", "/dev/null"});
    INFO(programs << ": " << result.output);
    CHECK(result.exit_code == 1);
    std::string const more = programs.find("none") == std::string::npos ? "" : "out, out/none, ";
    CHECK(result.output.find("mutate: " + (project.root() / "mutants/lab.json").string() +
                             ": programs: the build of the pristine tree does not make " + more + "out/nope\n") != std::string::npos);
  }
  project.write("mutants/lab.json", lab);
  CHECK(project.mutate({}).exit_code == 0);
}

TEST_CASE("programs that the run's own mutants do not need are made by the other targets, and hold no mutant", "[run]") {
  Project project;
  project.write(
      "build.sh",
      "#!/bin/sh\nset -e\nmkdir -p out\n"
      "if [ $1 = configure ]; then\n"
      "  printf '[{\"directory\":\"%s\",\"file\":\"src/store.cpp\",\"arguments\":[\"g++\",\"-std=c++20\",\"-c\",\"src/store.cpp\"]}]' "
      "\"$PWD\" >out/compile_commands.json; exit 0\nfi\n"
      "for target; do g++ -std=c++20 -o out/$target src/store.cpp src/main.cpp; done\n");
  fs::permissions(project.root() / "build.sh", fs::perms::owner_all);
  constexpr const char* both = R"("swap_arguments":{"call":"pair","first":0,"second":1}},"reds":[{"gate":"pairs","law":"pairs"}])";
  project.add_edit("g/a", "store", Project::swap);
  project.add_edit("g/b", "store", Project::swap);
  project.write("mutants/g/other.mutant.json",
                std::string(R"({"id":"g/other","defect":"d","targets":["second"],"edit":{"file":"src/store.cpp",)") +
                    R"("function":"store",)" + both + "}");
  std::string lab = test::read(project.root() / "mutants/lab.json");
  lab.replace(lab.find(R"("programs":["out/prog"])"), 23, R"("targets":["third"],"programs":["out/prog","out/second","out/third"])");
  project.write("mutants/lab.json", lab);
  RunOptions options = project.options();
  options.filters = {"g/a", "g/b"};
  RunReport const report = run(options);
  INFO((report.notes.empty() ? std::string() : report.notes.front()));
  CHECK(report.exit_code() == 0);
  REQUIRE(report.records.size() == 2);
  for (const Record& record : report.records)
    for (const ProgramRecord& program : record.programs) {
      CHECK(program.before != "absent");
      CHECK((program.before == program.mutated) == (program.path != "out/prog"));
    }
  project.write("mutants/lab.json", lab.replace(lab.find(R"(["third"])"), 9, R"(["no/folder"])"));
  CHECK(run(options).notes.at(0).find("does not make out/second, out/third: ") != std::string::npos);
}

TEST_CASE("a build that leaves its process number in the program, as nvcc does, is the same build each time", "[run]") {
  Project project;
  std::string script = test::read(project.root() / "build.sh");
  project.write("build.sh", script + "\nif [ $1 != configure ]; then printf 'tmpxft_%08x_00000000-6_store' $$ >>out/prog; fi\n");
  fs::permissions(project.root() / "build.sh", fs::perms::owner_all);
  project.add_edit("g/a", "store", Project::swap);
  std::string const same =
      R"({"id":"g/same","defect":"d","edit":{"file":"src/store.cpp","text":{"find":"}  // namespace","replace":"} // namespace"}},)";
  project.write("mutants/g/same.mutant.json", same + R"("reds":[{"gate":"pairs","law":"pairs"}]})");
  RunReport const report = run(project.options());
  INFO((report.notes.empty() ? std::string() : report.notes.front()));
  REQUIRE(report.records.size() == 2);
  CHECK(report.records[0].outcome == Outcome::killed);
  for (const Record& record : report.records)
    for (const ProgramRecord& program : record.programs) CHECK((program.before == program.mutated) == (record.id == "g/same"));
}
