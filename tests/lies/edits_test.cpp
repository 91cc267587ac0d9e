// Rows 1, 2, 15, 17 and 24: what was planted, and where.
#include <algorithm>

#include "tests/catch.h"
#include "tests/lies/naive.h"

using namespace redproof::lies;

namespace {

std::string with_crlf(std::string text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2)) text.replace(at, 1, "\r\n");
  return text;
}

}  // namespace

TEST_CASE("lie 1: a mutant that was never applied is stale, and line breaks keep none from being applied", "[lies]") {
  Project project;
  use_script(project);
  std::string build = redproof::mutants::test::read(project.root() / "build.sh");
  build.replace(build.find("cp src/prog out/prog.new"), 24, "tr -d '\\r' <src/prog >out/prog.new; chmod +x out/prog.new");
  write_program(project, "build.sh", build);
  write_program(project, "src/prog", with_crlf(redproof::mutants::test::read(project.root() / "src/prog")));
  std::string const pair = "pair() { echo $((10 * $1 + $2)); }\necho", swapped = "pair() { echo $((10 * $2 + $1)); }\necho";
  Naive naive(project);
  CHECK(naive.judge("src/prog", pair, swapped) == "survived");
  CHECK(naive.judge("src/prog", "100 * $1", "$1") == "survived");

  add_text_mutant(project, "g/crlf", "src/prog", pair, swapped);
  CHECK(planted(project, "one_a_build").exit_code == 0);
  add_text_mutant(project, "g/gone", "src/prog", "100 * $1", "$1");
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 7);
  CHECK(says(ours, "killed          g/crlf"));
  CHECK(says(ours, "stale           g/gone: `100 * $1` is nowhere in src/prog"));
}

TEST_CASE("lie 2: an anchor at two places is stale and names both, whichever a first match would take", "[lies]") {
  Project project;
  use_script(project);
  write_program(project, "src/prog",
                "#!/bin/sh\nunused() { echo $((10 * $1 + $2)); }\npair() { echo $((10 * $1 + $2)); }\necho $((2 * $(pair 1 2))) -1 2\n");
  Naive naive(project);
  CHECK(naive.judge("src/prog", "10 * $1 + $2", "10 * $2 + $1") == "survived");

  add_text_mutant(project, "g/text", "src/prog", "10 * $1 + $2", "10 * $2 + $1");
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 7);
  CHECK(says(ours, "g/text: `10 * $1 + $2` is at two places of src/prog: lines 2 and 3"));

  Project tree;
  tree.add_edit("g/literal", "guard", R"("replace_name":{"name":"left","with":"code"})");
  tree.add_edit("g/scope", "count", R"("replace_expression":{"expression":"n","with":"n + 1"})");
  auto const checked = tree.mutate({"--check"});
  CHECK(checked.exit_code == 7);
  CHECK(says(checked, "1 of 2 mutants apply exactly once"));
  CHECK(says(checked, "g/literal: "));
}

TEST_CASE("lie 15: a mutant of several edits is planted whole, or it is stale", "[lies]") {
  Project project;
  use_script(project);
  Naive naive(project);
  // Replaced wherever it is found; that the second is nowhere, nobody says.
  CHECK(naive.judge("src/prog", "10 * $1", "11 * $1", "sed -i 's/-1 3/-2 3/' src/prog && " + Naive::build_and_test) == "killed");

  project.add_mutant("g/m", R"("edits":[{"file":"src/prog","text":{"find":"10 * $1","replace":"11 * $1"}},)"
                            R"({"file":"src/prog","text":{"find":"-1 3","replace":"-2 3"}}],)" +
                                Project::reds);
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 7);
  CHECK(says(ours, "stale           g/m: `-1 3` is nowhere in src/prog"));
}

TEST_CASE("lie 15: an edit that changes no program is named, however well the others are seen", "[lies]") {
  Project project;
  Naive naive(project);
  std::string const dead = "sed -i 's/return n + 1/return n + 2/' src/unused.cpp && ";
  CHECK(naive.judge("src/store.cpp", "10 * k", "11 * k", dead + Naive::build_and_test) == "killed");

  std::string const seen = R"({"file":"src/store.cpp","function":"pair","replace_literal":{"literal":"10","with":"11"}},)";
  auto const add = [&](const std::string& id, const std::string& second) {
    project.add_mutant(id, "\"edits\":[" + seen + second + "]," + Project::reds);
  };
  add("g/dead", R"({"file":"src/unused.cpp","text":{"find":"n + 1","replace":"n + 2"}})");
  add("g/both", R"({"file":"src/store.cpp","function":"store","replace_literal":{"literal":"2","with":"3"}})");
  for (const char* planting : {"one_a_build", "schemata"}) {
    auto const ours = planted(project, planting, {"-v"});
    CHECK(ours.exit_code == 2);
    CHECK(says(ours,
               "not_reached     g/dead: it was killed, but edit 2 of 2 (src/unused.cpp) changes no program, alone or beside the others"));
    CHECK(says(ours, "edit 1 of 2 (src/store.cpp, pair): changes a program\n  edit 2 of 2 (src/store.cpp, store): changes a program\n"));
    CHECK(says(ours, "killed: 1 of 2 judged"));
  }
  add("g/same", R"({"file":"src/store.cpp","text":{"find":"long bytes","replace":"long bytes"}})");
  auto const checked = project.mutate({"--check"});
  CHECK(checked.exit_code == 7);
  CHECK(says(checked, "stale           g/same: edit 2 of 2 (src/store.cpp): it changes nothing"));
}

TEST_CASE("lie 15: an edit that only serves another is none too many", "[lies]") {
  Project project;
  project.add_mutant("g/m",
                     R"("edits":[{"file":"src/store.cpp","text":{"find":"int total = 0;","replace":"int total = 0; int more = 1;"}},)"
                     R"({"file":"src/store.cpp","text":{"find":"return total * 2","replace":"return total * 2 + more"}}],)" +
                         Project::reds);
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 0);
  CHECK(says(ours,
             "edit 1 of 2 (src/store.cpp): changes a program beside the others\n  edit 2 of 2 (src/store.cpp): does not build alone\n"));
}

TEST_CASE("lie 17: anchors that rotted are named by a check that plants nothing, and never leave the sum", "[lies]") {
  Project project;
  use_script(project);
  add_text_mutant(project, "g/fits", "src/prog", "10 * $1", "11 * $1");
  add_text_mutant(project, "g/rotten", "src/prog", "12 * $1", "11 * $1");
  Naive naive(project);
  int killed = 0;
  for (const char* anchor : {"10 * $1", "12 * $1"}) killed += naive.judge("src/prog", anchor, "11 * $1") == "killed" ? 1 : 0;
  CHECK(killed == 1);  // "50 %", of two that were never both there

  auto const checked = project.mutate({"--check"});
  CHECK(checked.exit_code == 7);
  CHECK(says(checked, "stale           g/rotten: `12 * $1` is nowhere in src/prog"));
  CHECK_FALSE(std::filesystem::exists(project.options().out));
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 7);
  CHECK(says(ours, "1 killed + 0 ended otherwise + 0 alive + 1 undecided + 0 set aside + 0 not run = 2"));
}

TEST_CASE("lie 24: a mutant that changes nothing is stale, and one of an argument has to change what is run", "[lies]") {
  Project project;
  use_script(project);
  write_program(
      project, "build.sh",
      "#!/bin/sh\nset -e\nmkdir -p out\ncp src/prog out/prog.new\nmv out/prog.new out/prog\ntr -s ' ' <src/arguments >out/arguments\n");
  write_program(project, "src/prog", "#!/bin/sh\nread -r k v <\"$(dirname \"$0\")/arguments\"\necho $((2 * (10 * k + v))) -1 2\n");
  project.write("src/arguments", "1 2\n");
  Naive naive(project);
  CHECK(naive.judge("src/arguments", "1 2", "1 2") == "survived");
  CHECK(naive.judge("src/arguments", "1 2", "1  2") == "survived");

  project.write("mutants/lab.json", R"({"build":["./build.sh"],"bin":"out","programs":["out/prog","out/arguments"]})");
  add_text_mutant(project, "g/same", "src/arguments", "1 2", "1 2");
  add_text_mutant(project, "g/spaces", "src/arguments", "1 2", "1  2");
  add_text_mutant(project, "g/swapped", "src/arguments", "1 2", "2 1");
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 2);
  CHECK(says(ours, "stale           g/same: it changes nothing"));
  CHECK(says(ours, "not_reached     g/spaces: no program changed"));
  CHECK(says(ours, "killed          g/swapped"));
}
