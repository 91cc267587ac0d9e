// Rows 20 and 21: what is left behind.
#include <fmt/format.h>

#include "tests/catch.h"
#include "tests/lies/naive.h"

using namespace redproof::lies;
namespace fs = std::filesystem;

TEST_CASE("lie 20: a run that is killed leaves no mutant behind, nothing finished is lost, and the next one goes on", "[lies]") {
  Project project;
  use_script(project);
  std::string const build = redproof::mutants::test::read(project.root() / "build.sh");
  write_program(project, "build.sh",
                build + "if grep -q deadly src/prog && test -e \"$VICTIM\"; then kill -9 \"$(cat \"$VICTIM\")\"; sleep 9; fi\n");
  std::string const before = project.hash();
  Naive const naive(project);
  CHECK(shell(naive.tree(), "sed -i 's/^echo/# deadly\\n&/' src/prog; kill -9 $$").signal == 9);
  CHECK(redproof::mutants::test::read(naive.tree() / "src/prog").find("deadly") != std::string::npos);

  add_text_mutant(project, "g/a", "src/prog", "10 * $1", "11 * $1");
  add_text_mutant(project, "g/b", "src/prog", "10 * $1 + $2", "10 * $2 + $1 + 0 * deadly");
  std::string const with_mutants = project.hash();
  std::string const program = redproof::mutants::test::program_folder() / "mutate";
  auto const killed = shell(
      project.root(),
      fmt::format(
          "export VICTIM=$PWD/../victim; echo $$ >$VICTIM; exec {} --catalog mutants --out ../mutate.out --planting one_a_build --jobs 1",
          program));
  CHECK(killed.signal == 9);
  CHECK(project.hash() == with_mutants);
  CHECK_FALSE(fs::is_empty(project.lab_home()));
  auto const ours = project.mutate({});
  CHECK(ours.exit_code == 0);
  CHECK(says(ours, "killed          g/a  pairs/pairs"));
  CHECK(says(ours, "(from an earlier run on the same inputs)"));
  CHECK(says(ours, "2 killed + "));
  CHECK(fs::is_empty(project.lab_home()));
  fs::remove_all(project.root() / "mutants/g");
  CHECK(project.hash() == before);
}

TEST_CASE("lie 21: work that is not committed is judged as it is and stays, as nothing is put back into the user's tree", "[lies]") {
  Project project;
  use_script(project);
  project.write(".gitignore", "out\n");
  REQUIRE(shell(project.root(), "git init -q && git add -A && git commit -qm 1 && sed -i '1a # half done' src/prog").exit_code == 0);
  Naive const naive(project);
  CHECK(shell(naive.tree(), "sed -i s/10/11/ src/prog; git checkout -q -- src/prog").exit_code == 0);
  CHECK(redproof::mutants::test::read(naive.tree() / "src/prog").find("half done") == std::string::npos);

  add_text_mutant(project, "g/m", "src/prog", "# half done\npair() { echo $((10", "# half done\npair() { echo $((11");
  std::string const before = project.hash();
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 0);
  CHECK(says(ours, "sha256 before"));
  CHECK(project.hash() == before);
}

TEST_CASE("lie 21: a private tree that a mutated program has changed is seen, and no mutant after it is judged", "[lies]") {
  Project project;
  use_script(project);
  project.write("data", "1 2\n");
  write_program(project, "src/prog", "#!/bin/sh\nread -r k v <data\necho $((2 * (10 * k + v))) -1 2\n");
  Naive naive(project);
  CHECK(naive.judge("src/prog", "\necho", "\necho 2 1 >data; echo") == "survived");
  CHECK(naive.judge("src/prog", "\necho", "\necho ") == "killed");  // by what the one before left

  add_text_mutant(project, "g/a", "src/prog", "\necho", "\necho 2 1 >data; echo");
  add_text_mutant(project, "g/b", "src/prog", "\necho", "\necho ");
  auto const ours = planted(project, "one_a_build", {"--jobs", "1"});
  CHECK(ours.exit_code == 9);
  CHECK(says(ours, "data: was changed while g/a was built and run"));
  CHECK(says(ours, "0 killed + 0 ended otherwise + 0 alive + 0 undecided + 0 set aside + 2 not run = 2"));
}
