// The program `mutate` with a cache of verdicts: whatever a gate runs and reads counts, wherever it stands.
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <fstream>

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

// Scripts that tell the program with the swapped arguments from the other, and one that does not.
constexpr const char* strict = "#!/bin/sh\ntest \"$($REDPROOF_BIN/prog | cut -d' ' -f1)\" = 24\n";
constexpr const char* pairs_by_shell = R"(["sh","-c","test \"$($REDPROOF_BIN/prog | cut -d' ' -f1)\" = 24"])";
constexpr const char* lax = "#!/bin/sh\nexit 0\n";

// What becomes of the mutant where `checker` does not see it.
constexpr const char* seen_by_others = "wrong_gate";

// A project with one mutant that the gate `checker` alone has to kill.
class Checked {
 public:
  explicit Checked(const std::string& argv, const std::string& lab = R"("inputs":["gate.sh"])") {
    write_gate(argv);
    project.add_edit("g/m", "store", Project::swap, R"("reds":[{"gate":"checker"}])");
    add_to_lab(lab);
  }

  void write_gate(const std::string& argv) {
    project.write("gates/checker.gate.json",
                  R"({"id":"checker","claim":"c","theorem":"t","subjects":["cpu"],"timeout_s":20,"run":{"argv":)" + argv + "}}");
  }

  void add_to_lab(const std::string& members) {
    std::string text = read(project.root() / "mutants/lab.json");
    project.write("mutants/lab.json", text.insert(text.rfind('}'), "," + members));
  }

  fs::path at(const std::string& name) const { return project.root().parent_path() / name; }

  void write_program(const std::string& name, const std::string& text) const {
    test::write(at(name), text);
    fs::permissions(at(name), fs::perms::owner_all);
  }

  // In the folder above the project, whose folder `bin` is first in PATH.
  ProcessResult judge(const std::string& words) const {
    redproof::gates::ProcessSpec spec;
    spec.argv = {"sh", "-c", "PATH=$PWD/bin:$PATH; \"$MUTATE\" --catalog project/mutants --no-resume --cache cache.db " + words};
    spec.cwd = at("");
    spec.set_env = {{"MUTATE", (test::program_folder() / "mutate").string()}};
    return redproof::gates::run_process(spec);
  }

  // "killed", or "killed, cached"
  std::string outcome(const std::string& words = "g/m") const {
    fs::remove(at("report"));
    auto const result = judge("--format json -o report " + words);
    INFO(result.output);
    REQUIRE(fs::exists(at("report")));
    auto const document = redproof::gates::JsonDocument::read(at("report"));
    auto const& mutants = document.root().at("mutants").items();
    REQUIRE(mutants.size() == 1);
    return mutants[0].at("outcome").text() + (mutants[0].at("cached").boolean() ? ", cached" : "");
  }

  void is_known() const {
    CHECK(outcome() == "killed");
    CHECK(outcome() == "killed, cached");
  }

  Project project;
};

std::string quoted(const fs::path& path) { return "[\"" + path.string() + "\"]"; }

}  // namespace

TEST_CASE("a gate's command counts by its content wherever it stands", "[cache]") {
  Checked checked(R"(["true"])");
  for (const std::string& argv : {quoted(checked.at("checker")), std::string(R"(["env","A=1",")") + checked.at("checker").string() + "\"]",
                                  std::string(R"(["sh",")") + checked.at("checker").string() + "\"]"}) {
    INFO(argv);
    checked.write_program("checker", strict);
    checked.write_gate(argv);
    checked.is_known();
    checked.write_program("checker", lax);
    CHECK(checked.outcome() == seen_by_others);
  }
}

TEST_CASE("the interpreter of a script in the tree counts, named by its path or found by env", "[cache]") {
  Checked checked(R"(["./check.x"])", R"("inputs":["gate.sh","check.x"])");
  for (const std::string& line :
       {"#!" + checked.at("bin/reader").string(), std::string("#!/usr/bin/env reader"), std::string("#!/usr/bin/env -S reader -u")}) {
    INFO(line);
    checked.write_program("bin/reader", strict);
    checked.write_program("project/check.x", line + "\n");
    checked.is_known();
    checked.write_program("bin/reader", lax);
    CHECK(checked.outcome() == seen_by_others);
  }
}

TEST_CASE("what the build made counts where a gate runs it, though no program of lab.json", "[cache]") {
  Checked checked(R"(["out/checker"])");
  std::string const script = read(checked.project.root() / "build.sh");
  checked.project.write("build.sh", script + "cp " + checked.at("made").string() + " out/checker\n");
  checked.write_program("made", strict);
  checked.is_known();
  checked.write_program("made", lax);
  CHECK(checked.outcome() == seen_by_others);
}

TEST_CASE("the shared libraries of a gate's command count", "[cache]") {
  Checked checked(R"(["true"])");
  checked.write_gate(quoted(checked.at("checker")));
  auto const compile = [&](const std::string& words) {
    redproof::gates::ProcessSpec spec;
    spec.argv = {"sh", "-c", "exec g++ " + words};
    spec.cwd = checked.at("");
    REQUIRE(redproof::gates::run_process(spec).exit_code == 0);
  };
  test::write(checked.at("truth.cpp"), "int truth(int value) { return value != 24; }\n");
  test::write(checked.at("main.cpp"),
              "#include <cstdio>\nint truth(int);\nint main() {\n  int value = 0;\n  FILE* f = popen(\"$REDPROOF_BIN/prog\", \"r\");\n"
              "  return fscanf(f, \"%d\", &value) == 1 ? truth(value) : 3;\n}\n");
  compile("-shared -fPIC -o libtruth.so truth.cpp");
  compile("-o checker main.cpp -L. -ltruth -Wl,-rpath,$PWD");
  checked.is_known();
  test::write(checked.at("truth.cpp"), "int truth(int) { return 0; }\n");
  compile("-shared -fPIC -o libtruth.so truth.cpp");
  CHECK(checked.outcome() == seen_by_others);
}

TEST_CASE("where ldd does not tell the libraries of a program, the cache is left alone", "[cache]") {
  Checked checked(pairs_by_shell);
  checked.write_program("bin/ldd", "#!/bin/sh\nexit 1\n");
  CHECK(checked.outcome() == "killed");
  CHECK(checked.outcome() == "killed");
  auto const result = checked.judge("g/m");
  INFO(result.output);
  CHECK(says(result, "note: the cache is left alone: ldd does not tell the libraries of out/prog"));
  fs::remove(checked.at("bin/ldd"));
  checked.is_known();
}

TEST_CASE("the interpreter of a witness in the tree counts", "[cache]") {
  Checked checked("[\"true\"]");
  checked.write_program("bin/reader", lax);
  checked.write_program("project/witness.x", "#!" + checked.at("bin/reader").string() + "\n");
  checked.project.add_edit("g/m", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})",
                           R"("equivalent":{"witness":{"argv":["./witness.x"]}})");
  CHECK(checked.outcome() == "equivalent");
  CHECK(checked.outcome() == "equivalent, cached");
  checked.write_program("bin/reader", "#!/bin/sh\nexit 1\n");
  CHECK(checked.outcome() == "survived");
}

TEST_CASE("an input that is a link counts by what it leads to, in the tree and elsewhere", "[cache]") {
  for (auto const& [inputs, target, content] :
       std::initializer_list<std::array<const char*, 3>>{{R"("inputs":["gate.sh","data"])", "/store", "store/check.md"},
                                                         {R"("inputs":["gate.sh","data/check.md"])", "/store", "store/check.md"},
                                                         {R"("inputs":["gate.sh","data"])", "fixtures", "project/fixtures/check.md"}}) {
    INFO(inputs << " " << target);
    Checked checked(R"(["sh","data/check.md"])", inputs);
    test::write(checked.at(content), strict);
    fs::create_symlink(*target == '/' ? checked.at(target + 1) : fs::path(target), checked.project.root() / "data");
    checked.is_known();
    test::write(checked.at(content), lax);
    CHECK(checked.outcome() == seen_by_others);
  }
  Checked checked(R"(["sh","check.md"])", R"("inputs":["gate.sh","check.md"])");
  test::write(checked.at("one"), strict);
  fs::create_symlink(checked.at("one"), checked.project.root() / "check.md");
  checked.is_known();
  test::write(checked.at("one"), lax);
  CHECK(checked.outcome() == seen_by_others);
}

TEST_CASE("links that lead in circles end no run", "[cache]") {
  Checked checked(pairs_by_shell, R"("inputs":["gate.sh"],"links":["models"])");
  fs::create_directories(checked.project.root() / "models/deep");
  for (const char* const name : {"models/a", "models/b", "models/deep/c"}) fs::create_symlink(".", checked.project.root() / name);
  checked.is_known();
}

TEST_CASE("a file of the tree that is a link to itself ends no run", "[cache]") {
  Checked checked(pairs_by_shell);
  redproof::gates::ProcessSpec git;
  git.argv = {"git", "-C", checked.project.root().string(), "init", "-q"};
  REQUIRE(redproof::gates::run_process(git).exit_code == 0);
  for (const char* const name : {"loop", "src/loop.h"}) fs::create_symlink(fs::path(name).filename(), checked.project.root() / name);
  checked.is_known();
}

TEST_CASE("a gate file that is saved after it was read counts as it was read", "[cache]") {
  Checked checked(pairs_by_shell);
  std::string const now = read(checked.project.root() / "gates/checker.gate.json");
  std::string later = now;
  later.replace(later.find("= 24"), 4, "= 24 || true");
  test::write(checked.at("later"), later);
  // Git is asked for the files once gates are read, and before they are copied.
  checked.write_program("bin/git", "#!/bin/sh\ncp " + checked.at("later").string() + " " +
                                       (checked.project.root() / "gates/checker.gate.json").string() + "\nexit 128\n");
  CHECK(checked.outcome() == "killed");
  fs::remove(checked.at("bin/git"));
  CHECK(checked.outcome() == seen_by_others);
}

TEST_CASE("another libclang makes another judge", "[cache]") {
  Checked checked(pairs_by_shell);
  fs::path const library = fs::exists("/usr/lib/llvm-19/lib/libclang-19.so.19") ? "/usr/lib/llvm-19/lib/libclang-19.so.19"
                                                                                : "/usr/lib/llvm-19/lib/libclang.so.1";
  REQUIRE(fs::exists(library));
  fs::copy_file(library, checked.at("one.so"));
  fs::copy_file(library, checked.at("two.so"));
  std::ofstream(checked.at("two.so"), std::ios::app) << "\n";
  auto const with = [&](const char* const name) {
    setenv("REDPROOF_LIBCLANG", checked.at(name).c_str(), 1);
    std::string const word = checked.outcome();
    unsetenv("REDPROOF_LIBCLANG");
    return word;
  };
  CHECK(with("one.so") == "killed");
  CHECK(with("one.so") == "killed, cached");
  CHECK(with("two.so") == "killed");
}
