// Rows 18 and 19: what the figures are shares of.
#include "tests/catch.h"
#include "tests/lies/naive.h"

using namespace redproof::lies;

TEST_CASE("lie 18: every outcome stands in the printed sum, and a share beside what it leaves out", "[lies]") {
  Project project;
  use_script(project);
  std::string const build = redproof::mutants::test::read(project.root() / "build.sh");
  write_program(project, "build.sh", "#!/bin/sh\nsh -n src/prog || exit 1\n" + build.substr(build.find('\n') + 1));
  add_text_mutant(project, "g/killed", "src/prog", "10 * $1", "11 * $1");
  add_text_mutant(project, "g/gone", "src/prog", "12 * $1", "11 * $1");
  add_text_mutant(project, "g/broken", "src/prog", "-1 2", "-1 2 (");
  add_text_mutant(project, "g/known", "src/prog", "-1 2", "-1  2", Project::reds + R"(,"suppressed":"the shell joins words")");
  add_text_mutant(project, "g/crash", "src/prog", "\necho", "\nkill -SEGV $$; echo");
  Naive naive(project);
  int killed = 0, counted = 0;
  std::string const program = redproof::mutants::test::read(project.root() / "src/prog");
  auto const count = [&](const std::string& find, const std::string& replace) {
    if (program.find(find) == std::string::npos) return;                                              // "not applicable"
    if (naive.judge("src/prog", find, replace, "./build.sh") == "killed") return;                     // "does not build"
    if (naive.judge("src/prog", find, replace, "./build.sh; out/prog >printed") == "killed") return;  // "error"
    ++counted;
    killed += naive.judge("src/prog", find, replace) == "killed" ? 1 : 0;
  };
  count("10 * $1", "11 * $1");
  count("12 * $1", "11 * $1");
  count("-1 2", "-1 2 (");
  count("\necho", "\nkill -SEGV $$; echo");
  CHECK(killed == 1);
  CHECK(counted == 1);  // "1/1, 100 %", of five

  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 10);
  CHECK(says(ours, "1 killed + 1 ended otherwise + 0 alive + 2 undecided + 1 set aside + 0 not run = 5"));
  CHECK(says(ours, "killed: 1 of 2 judged, 50.0 %"));
  CHECK(says(ours, "  all                 5\n"));
}

TEST_CASE("lie 19: where there is no mutant, or none that was judged, there is no share, and it is no success", "[lies]") {
  Project project;
  use_script(project);
  std::vector<std::string> const nothing;
  CHECK(std::count(nothing.begin(), nothing.end(), "survived") == 0);  // "100 %", exit 0

  auto const empty = planted(project, "one_a_build");
  CHECK(empty.exit_code == 8);
  CHECK(says(empty, "no mutant is selected: nothing was shown"));
  add_text_mutant(project, "g/m", "src/prog", "10 * $1", "11 * $1", Project::reds + R"(,"suppressed":"for the test")");
  CHECK(planted(project, "one_a_build", {"--function", "nowhere"}).exit_code != 0);
  auto const unjudged = planted(project, "one_a_build", {"--threshold", "0"});
  CHECK(unjudged.exit_code == 8);
  CHECK(says(unjudged, "killed: 0 of 0 judged, no share"));
  CHECK(says(unjudged, "--threshold: no mutant was judged"));
}
