// Rows 8 to 11: how the test ended.
#include "tests/catch.h"
#include "tests/lies/naive.h"

using namespace redproof::lies;

namespace {

// Does a process of another session name this folder on its command line?
constexpr const char* crowd = R"text(#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

static bool has_company(const std::string& folder) {
  bool company = false;
  DIR* const processes = opendir("/proc");
  while (dirent* const entry = readdir(processes)) {
    int const id = std::atoi(entry->d_name);
    std::ifstream stream("/proc/" + std::to_string(id) + "/cmdline");
    std::string line;
    std::getline(stream, line);
    if (id != 0 && line.find(folder) != std::string::npos && getsid(id) != getsid(0)) company = true;
  }
  closedir(processes);
  return company;
}
)text";

}  // namespace

TEST_CASE("lie 8: a test runner that refuses its own command line has killed nothing", "[lies]") {
  Project project;
  use_script(project);
  // What the build makes of it names the case that the runner is to run.
  write_program(project, "build.sh",
                "#!/bin/sh\nset -e\nmkdir -p out\ncp src/prog out/prog.new\nmv out/prog.new out/prog\ncp src/case out/case\n");
  project.write("src/case", "pairs=1=24\n");
  write_program(project, "runner.sh",
                "#!/bin/sh\ncase $(cat out/case) in\n  pairs=*) exec ./gate.sh \"$(cat out/case)\" ;;\n  *) echo \"runner: no such case\"; "
                "exit 4 ;;\nesac\n");
  project.write("mutants/lab.json", R"({"build":["./build.sh"],"bin":"out","programs":["out/prog","out/case"]})");
  add_gate(project, "pairs", R"(["./runner.sh"])", R"(["pairs"])");
  Naive naive(project);
  std::string const test = "./build.sh && REDPROOF_EVIDENCE=out/evidence ./runner.sh";
  CHECK(naive.judge("src/case", "pairs", "pears", test) == "killed");

  add_text_mutant(project, "g/m", "src/case", "pairs", "pears");
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 8);
  CHECK(says(ours, "no_evidence     g/m: gate pairs: left no evidence, exit code 4"));

  // A runner that leaves no evidence at all is asked for its words.
  add_gate(project, "exits",
           R"(["sh","-c","REDPROOF_EVIDENCE=out/evidence ./runner.sh || { r=$?; [ $r -ne 2 ] || echo '1 case failed'; exit $r; }"])");
  std::string const failed = R"("reds":[{"gate":"exits","message":"1 case failed"}])";
  add_text_mutant(project, "g/m", "src/case", "pairs", "pears", failed);
  add_text_mutant(project, "g/real", "src/case", "24", "25", failed);
  auto const by_words = planted(project, "one_a_build");
  CHECK(by_words.exit_code == 10);
  CHECK(says(by_words, "wrong_reason    g/m: gate exits went red (exit code 4) and did not print `1 case failed`"));
  CHECK(says(by_words, "killed          g/real"));
}

TEST_CASE("lie 9: a crash is neither a kill nor a survivor", "[lies]") {
  Project project;
  Naive naive(project);
  CHECK(naive.judge("src/store.cpp", "return code;", "return 1;") == "killed");
  std::string const by_words = "./build.sh && { out/prog >printed 2>&1; ! grep -q FAILED printed; }";
  CHECK(naive.judge("src/store.cpp", "return code;", "return 1;", by_words) == "survived");

  project.add_edit("g/m", "guard", R"("replace_expression":{"expression":"code","with":"1"})");
  for (const char* planting : plantings) {
    auto const ours = planted(project, planting);
    CHECK(ours.exit_code == 10);
    CHECK(says(ours, "crash           g/m: gate pairs: killed by signal 11"));
    CHECK(says(ours, "killed: 0 of 1 judged"));
  }
}

TEST_CASE("lie 10: a test that could not be started has killed nothing, and is tried again", "[lies]") {
  Project project;
  use_script(project);
  write_program(project, "build.sh",
                "#!/bin/sh\nset -e\nmkdir -p out\ncp src/prog out/prog.new\nmv out/prog.new out/prog\ncp gate.sh out/gate.sh\n");
  project.write("mutants/lab.json", R"({"build":["./build.sh"],"bin":"out","programs":["out/prog","out/gate.sh"]})");
  add_gate(project, "pairs", R"(["out/gate.sh","pairs=1=24"])", R"(["pairs"])");
  add_gate(project, "exits", R"(["sh","-c","out/gate.sh pairs=1=24"])");
  Naive naive(project);
  std::string const test = "./build.sh && REDPROOF_EVIDENCE=out/evidence out/gate.sh pairs=1=24";
  CHECK(naive.judge("gate.sh", "#!/bin/sh", "#!/no/such/shell", test) == "killed");

  add_text_mutant(project, "g/a", "gate.sh", "#!/bin/sh", "#!/no/such/shell");
  add_text_mutant(project, "g/b", "gate.sh", "#!/bin/sh", "#!/no/such/shell", R"("reds":[{"gate":"exits"}])");
  for (int i = 0; i < 2; ++i) {
    auto const ours = project.mutate({});
    CHECK(ours.exit_code == 8);
    CHECK(says(ours, "no_evidence     g/a: gate pairs: cannot execute out/gate.sh: No such file or directory"));
    CHECK(says(ours, "no_evidence     g/b: gate exits: exit code 127: a command was not found or was killed"));
    CHECK_FALSE(says(ours, "from an earlier run"));
  }
}

TEST_CASE("lie 11: running out of time is an outcome of its own, and one that no later run believes", "[lies]") {
  Project project;
  use_script(project);
  add_gate(project, "pairs", R"(["./gate.sh","pairs=1=24"])", R"(["pairs"])", 1);
  Naive naive(project);
  // The mutant is harmless; the machine was busy.
  CHECK(naive.judge("src/prog", "echo $((2 *", "sleep 9; echo $((2 *", "./build.sh && timeout 0.2 out/prog") == "killed");

  add_text_mutant(project, "g/m", "src/prog", "echo $((2 *", "sleep 9; echo $((2 *");
  for (int i = 0; i < 2; ++i) {
    auto const ours = project.mutate({});
    CHECK(ours.exit_code == 3);
    CHECK(says(ours, "timeout         g/m: gate pairs: timed out in 1 s, and alone in 2 s and 4 s"));
    CHECK(says(ours, "killed: 0 of 1 judged"));
    CHECK(says(ours, "attempt: gate pairs beside others, limit 1 s, "));
    CHECK(says(ours, "attempt: gate pairs alone, limit 4 s, "));
    CHECK_FALSE(says(ours, "from an earlier run"));
  }
}

TEST_CASE("lie 11: what ran out of its time beside others is run again alone, and that decides", "[lies]") {
  Project project;
  // As on a machine that is too busy: it ends only where no other build and no other gate of the run is at work.
  std::string program = redproof::mutants::test::read(project.root() / "src/main.cpp");
  std::string const labs = project.lab_home().string();
  program.insert(0, crowd);
  program.insert(program.find("  if (code == 1)"), "  while (code == 3 && has_company(\"" + labs + "\")) {}\n");
  project.write("src/main.cpp", program);
  std::string build = redproof::mutants::test::read(project.root() / "build.sh");
  write_program(project, "build.sh", build.replace(build.find("g++ -std=c++20 -O1"), 0, "sh -c 'sleep 1.5' \"$PWD\"\n"));
  for (const char* other : {"both", "exits"}) std::filesystem::remove(project.root() / "gates" / (std::string(other) + ".gate.json"));
  add_gate(project, "pairs", R"(["./gate.sh","pairs=1=24"])", R"(["pairs"])", 1);
  Naive naive(project);
  std::string const busy = "./build.sh && { setsid tail -f /dev/null " + labs + "/none 2>/dev/null & " +
                           R"(other=$!; timeout 0.2 out/prog; code=$?; kill $other; exit $code; })";
  CHECK(naive.judge("src/store.cpp", "return code;", "return 3;", busy) == "killed");

  for (const char* id : {"g/a", "g/b"}) project.add_edit(id, "guard", R"("replace_expression":{"expression":"code","with":"3"})");
  auto const ours = planted(project, "one_a_build", {"--jobs", "2"});
  CHECK(ours.exit_code == 2);
  CHECK(says(ours, "survived        g/a: gate pairs stayed green"));
  CHECK(says(ours, "survived        g/b: gate pairs stayed green"));
}

TEST_CASE("lie 11: where all mutants are in one build, what does not end is told by counting and not by a clock", "[lies]") {
  Project project;
  Naive naive(project);
  CHECK(naive.judge("src/store.cpp", "while (left > 0)", "while (true)", "./build.sh && timeout 0.2 out/prog") == "killed");

  project.add_edit("g/m", "guard", R"("force_condition":{"condition":"left > 0","value":true})", Project::reds + R"(,"expects":"timeout")");
  auto const ours = planted(project, "schemata", {"-v"});
  CHECK(ours.exit_code == 0);
  CHECK(says(ours, "hit limit: more than "));
  CHECK(says(ours, "outcome: timeout, as declared"));
}
