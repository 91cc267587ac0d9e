// Rows 22 and 23: what it ran on. A device is a file, or a variable, that the program obeys.
#include <stdlib.h>

#include "tests/catch.h"
#include "tests/lies/naive.h"

using namespace redproof::lies;

TEST_CASE("lie 22: what another device showed is no baseline for this one", "[lies]") {
  Project project;
  use_script(project);
  write_program(project, "src/prog", "#!/bin/sh\necho $((22 + ${CUDA_VISIBLE_DEVICES:-2})) -1 2\n");
  Naive naive(project);
  std::string const recorded = R"(./build.sh && CUDA_VISIBLE_DEVICES=1 out/prog >now && cmp -s now recorded)";
  REQUIRE(shell(naive.tree(), "out/prog >recorded").exit_code == 0);
  CHECK(naive.judge("src/prog", "-1 2", "-1  2", recorded) == "killed");

  add_text_mutant(project, "g/m", "src/prog", "22", "23");
  CHECK(project.mutate({}).exit_code == 0);
  CHECK(says(project.mutate({}), "from an earlier run on the same inputs"));
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  auto const ours = project.mutate({});
  unsetenv("CUDA_VISIBLE_DEVICES");
  CHECK(ours.exit_code == 4);
  CHECK(says(ours, "unproved        g/m: gate pairs is red on the pristine tree"));
}

TEST_CASE("lie 23: a device that a mutant has wedged kills no later mutant", "[lies]") {
  Project project;
  write_program(project, "device.sh", R"sh(#!/bin/sh
device=${TMPDIR%/*/*}/wedged  # it outlasts what a gate leaves
[ ! -e "$device" ] || set -- pairs=1=25
"$REDPROOF_BIN/prog" >/dev/null 2>&1 || : >"$device"
exec ./gate.sh "$@"
)sh");
  add_gate(project, "pairs", R"(["./device.sh","pairs=1=24"])", R"(["pairs"])");
  Naive naive(project);
  std::string const on_device =
      R"sh(./build.sh && test ! -e wedged && { out/prog >printed || { : >wedged; exit 1; }; } && grep -q "^24 " printed)sh";
  CHECK(naive.judge("src/store.cpp", "k < 0", "k <= 0", on_device) == "survived");
  CHECK(naive.judge("src/store.cpp", "return code;", "return 1;", on_device) == "killed");
  CHECK(naive.judge("src/store.cpp", "k < 0", "k <= 0", on_device) == "killed");  // the device is

  project.add_edit("g/a", "guard", R"("replace_expression":{"expression":"code","with":"1"})", Project::reds + R"(,"expects":"crash")");
  project.add_edit("g/b", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  for (const char* planting : {"one_a_build", "schemata"}) {
    auto const ours = planted(project, planting, {"--jobs", "1"});
    CHECK(ours.exit_code == 4);
    CHECK(says(ours, "unproved        g/a: it was crash, but after g/a, without any mutant, gate pairs is red: pairs on cpu"));
    CHECK(says(ours, "note: worker 0: after g/a, without any mutant, gate pairs is red: pairs on cpu"));
    CHECK(says(ours, "0 killed + 0 ended otherwise + 0 alive + 1 undecided + 0 set aside + 1 not run = 2"));
    CHECK(redproof::mutants::test::read(project.options().out / "end.json").find("\"exit_codes\": [\n  12\n ]") != std::string::npos);
  }
}

TEST_CASE("lie 23: what a red gate has left to one worker alone is told by that worker's last look", "[lies]") {
  Project project;
  write_program(project, "device.sh", R"sh(#!/bin/sh
device=${TMPDIR%/*/*}/wedged  # it outlasts what a gate leaves
[ ! -e "$device" ] || set -- pairs=1=25
case $("$REDPROOF_BIN/prog") in "24 "*) ;; *) : >"$device" ;; esac
exec ./gate.sh "$@"
)sh");
  add_gate(project, "pairs", R"(["./device.sh","pairs=1=24"])", R"(["pairs"])");
  // The first of three lanes is most likely busy with a mutant that leaves nothing.
  for (const char* id : {"g/a", "g/c", "g/d"})
    project.add_edit(id, "room", R"("replace_expression":{"expression":"bytes","with":"bytes + 1"})");
  project.add_edit("g/b", "store", R"("swap_arguments":{"call":"pair","first":0,"second":1})");
  auto const ours = planted(project, "schemata", {"--jobs", "3"});
  CHECK(ours.exit_code == 4);
  CHECK(says(ours, "unproved        g/b: it was killed, but after the run, without any mutant, gate pairs is red: pairs on cpu"));
}
