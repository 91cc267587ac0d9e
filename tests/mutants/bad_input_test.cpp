// Trees as users have them, through the program: each works, or is told in one line that says what to do.
#include <algorithm>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/shell.h"
#include "tests/skip.h"

using redproof::gates::ProcessResult;
using redproof::mutants::test::Project;
using redproof::mutants::test::read;

using redproof::mutants::test::says;

namespace {

namespace fs = std::filesystem;

constexpr const char* swap = R"("swap_arguments":{"call":"pair","first":0,"second":1})";
constexpr const char* early = R"("force_condition":{"condition":"k < 0","value":true})";
constexpr const char* twice = R"("replace_operand":{"expression":"total * 2","operand":"2","with":"3"})";
constexpr const char* less = R"("replace_operator":{"expression":"10 * k + v","with":"-"})";

// A shell in the project's root; $MUTATE is the program with its catalogue, $LABS a folder that anybody may write.
ProcessResult by_shell(const Project& project, const std::string& script) {
  fs::permissions(project.root().parent_path(), fs::perms(0755));
  fs::permissions(project.lab_home(), fs::perms::all);
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.cwd = project.root();
  auto const program = redproof::mutants::test::program_folder() / "mutate";
  spec.set_env = {{"MUTATE", program.string() + " --catalog " + (project.root() / "mutants").string()},
                  {"LABS", project.lab_home().string()},
                  {"AS_NOBODY", "setpriv --reuid 65534 --regid 65534 --clear-groups"}};
  return redproof::gates::run_process(spec);
}

// Whoever runs this may be root, whom no mode stops.
bool can_be_nobody(const Project& project) { return by_shell(project, "$AS_NOBODY $MUTATE --list >$LABS/list").exit_code == 0; }

void add_four(Project& project) {
  project.add_edit("g/swap", "store", swap);
  project.add_edit("g/early", "store", early);
  project.add_edit("g/twice", "store", twice);
  project.add_edit("g/less", "pair", less);
}

void replace(Project& project, const std::string& file, const std::string& what, const std::string& with) {
  std::string text = read(project.root() / file);
  auto const at = text.find(what);
  REQUIRE(at != std::string::npos);
  project.write(file, text.replace(at, what.size(), with));
}

}  // namespace

TEST_CASE("a tree that its user may only read is copied, mutated and built as any other", "[bad_input]") {
  Project project;
  add_four(project);
  if (!can_be_nobody(project)) return skip_case("no other user can be taken here");
  REQUIRE(by_shell(project, "chmod -R a=rX .").exit_code == 0);
  std::string const before = project.hash();
  auto const together = by_shell(project, "$AS_NOBODY $MUTATE --planting schemata --jobs 2 --out $LABS/out");
  CHECK(says(together, "   4 as declared\n"));
  CHECK(together.exit_code == 0);
  auto const alone = by_shell(project, "$AS_NOBODY $MUTATE --planting one_a_build --no-resume --out $LABS/out");
  CHECK(says(alone, "   4 as declared\n"));
  CHECK(alone.exit_code == 0);
  auto const elsewhere =
      by_shell(project, "$AS_NOBODY $MUTATE --prepare $LABS/p && $AS_NOBODY ${MUTATE%% *} --prepared $LABS/p --out $LABS/q");
  CHECK(says(elsewhere, "   4 as declared\n"));
  CHECK(elsewhere.exit_code == 0);
  CHECK(project.hash() == before);
  CHECK(by_shell(project, "chmod -R u+w .; rm -rf $LABS/*").exit_code == 0);
}

TEST_CASE("a file that its user may not read is named, and so is what to do", "[bad_input]") {
  Project project;
  project.add_edit("g/swap", "store", swap);
  project.write("private/key", "x");
  if (!can_be_nobody(project)) return skip_case("no other user can be taken here");
  REQUIRE(by_shell(project, "chmod -R a=rX .").exit_code == 0);
  for (const char* path : {"private/key", "private"}) {
    fs::permissions(project.root() / path, fs::perms::none);
    auto const result = by_shell(project, "$AS_NOBODY $MUTATE --out $LABS/out");
    CHECK(result.exit_code == 1);
    INFO(result.output);
    CHECK(says(result, (project.root() / path).string() + ": cannot be read: Permission denied; let the user that runs mutate read it"));
    fs::permissions(project.root() / path, fs::perms(0755));
  }
}

TEST_CASE("a folder of a repository that its user may not read is named as well", "[bad_input]") {
  Project project;
  project.add_edit("g/swap", "store", swap);
  project.write("private/key", "x");
  if (!can_be_nobody(project)) return skip_case("no other user can be taken here");
  REQUIRE(by_shell(project, "git init -q && git add . && chmod -R a=rX . && chmod 0 private").exit_code == 0);
  auto const owned = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' ";
  auto const result = by_shell(project, std::string("export ") + owned + "; $AS_NOBODY $MUTATE --out $LABS/out");
  CHECK(result.exit_code == 1);
  CHECK(says(result, (project.root() / "private/key").string() + ": cannot be read: Permission denied; let the user"));
  auto const foreign = by_shell(project, "chmod 755 private; $AS_NOBODY $MUTATE --out $LABS/out");
  CHECK(foreign.exit_code == 1);
  CHECK(says(foreign, ": git does not list its files: fatal: detected dubious ownership"));
  CHECK(says(foreign, "; git config --global --add safe.directory " + project.root().string() + "\n"));
}

TEST_CASE("a tree on a read-only mount needs an output folder and a lab elsewhere, and is told so", "[bad_input]") {
  Project project;
  project.add_edit("g/swap", "store", swap);
  auto const mounted = [&](const std::string& words) {
    return by_shell(project,
                    "exec unshare -m sh -c 'mount --bind . . && mount -o remount,bind,ro . && cd \"$PWD\" || exit 99; " + words + "'");
  };
  if (mounted("exec $MUTATE --list").exit_code != 0) return skip_case("nothing can be mounted here");
  auto const here = mounted("exec $MUTATE");
  CHECK(here.exit_code == 1);
  CHECK(says(here, "--out: " + (project.root() / "mutate.out").string() + ": cannot be made in "));
  CHECK(says(here, ": Read-only file system; choose another folder\n"));
  auto const lab = mounted("REDPROOF_LAB=$PWD exec $MUTATE --out $LABS/out");
  CHECK(lab.exit_code == 1);
  CHECK(says(lab, ": Read-only file system; set REDPROOF_LAB to a folder that can be written\n"));
  auto const elsewhere = mounted("exec $MUTATE --out $LABS/out");
  CHECK(says(elsewhere, "   1 as declared\n"));
  CHECK(elsewhere.exit_code == 0);
}

namespace {

// Its build writes out/version.h, which src/store.cpp includes.
void generate_header(Project& project) {
  replace(project, "src/store.cpp", "namespace demo {\n", "#include \"version.h\"\nnamespace demo {\n");
  replace(project, "src/store.cpp", "total * 2", "total * version");
  replace(project, "build.sh", R"("-std=c++20",)", R"("-std=c++20","-Iout",)");
  replace(project, "build.sh", "g++ -std=c++20 -O1", "echo 'constexpr int version = 2;' >out/version.h\ng++ -std=c++20 -Iout -O1");
}

}  // namespace

TEST_CASE("a header that the build makes is there when its sources are parsed", "[bad_input]") {
  Project project;
  generate_header(project);
  project.add_edit("g/swap", "store", swap);
  std::string const before = project.hash();
  auto const written = project.mutate({});
  CHECK(says(written, "   1 as declared\n"));
  CHECK(written.exit_code == 0);
  CHECK(project.mutate({"--check"}).exit_code == 0);
  auto const generated = project.mutate({"--generate", "src/store.cpp", "--operators", "arithmetic", "--function", "pair"});
  CHECK(says(generated, "killed"));
  CHECK(generated.exit_code == 0);
  CHECK(project.hash() == before);
}

TEST_CASE("of a header that the build should make, and does not, the build's error is told", "[bad_input]") {
  Project project;
  generate_header(project);
  replace(project, "build.sh", "echo 'constexpr", "echo 'error: no generator here' >&2; exit 1; echo 'constexpr");
  project.add_edit("g/swap", "store", swap);
  auto const result = project.mutate({});
  CHECK(result.exit_code == 4);
  CHECK(says(result, "the pristine tree does not build: error: no generator here"));
}

TEST_CASE("a tree that was never built has no generated headers, and a check says so", "[bad_input]") {
  Project project;
  generate_header(project);
  project.add_edit("g/swap", "store", swap);
  REQUIRE(by_shell(project, "./build.sh configure").exit_code == 0);
  auto const check = project.mutate({"--check"});
  CHECK(check.exit_code == 8);
  CHECK(says(check, "'version.h' file not found; where the build makes that file, build the project first"));
  auto const generated = project.mutate({"--generate", "src/store.cpp", "--check"});
  CHECK(generated.exit_code == 8);
  CHECK(says(generated, "'version.h' file not found; where the build makes that file, build the project first"));
  REQUIRE(by_shell(project, "./build.sh").exit_code == 0);
  CHECK(project.mutate({"--check"}).exit_code == 0);
}

namespace {

// src/ as a submodule of the project, checked out as `git submodule add` leaves it.
bool make_submodule(const Project& project) {
  return by_shell(
             project,
             "set -e; export GIT_CONFIG_COUNT=4 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always GIT_CONFIG_KEY_1=user.name "
             "GIT_CONFIG_VALUE_1=t GIT_CONFIG_KEY_2=user.email GIT_CONFIG_VALUE_2=t@t GIT_CONFIG_KEY_3=init.defaultBranch "
             "GIT_CONFIG_VALUE_3=main\n"
             "mv src ../library; git init -q ../library; git -C ../library add .; git -C ../library commit -qm 1\n"
             "git init -q; git submodule --quiet add ../library src; git add .; git commit -qm 1")
             .exit_code == 0;
}

}  // namespace

TEST_CASE("the files of a submodule are copied, mutated and built", "[bad_input]") {
  Project project;
  add_four(project);
  replace(project, "build.sh", "mkdir -p out", "git rev-parse --git-dir 2>/dev/null && exit 9; mkdir -p out");
  REQUIRE(make_submodule(project));
  std::string const before = project.hash();
  auto const result = project.mutate({});
  CHECK(says(result, "   4 as declared\n"));
  CHECK(result.exit_code == 0);
  CHECK(project.hash() == before);
}

TEST_CASE("a submodule that is not checked out is named, and so is the command that does it", "[bad_input]") {
  Project project;
  project.add_edit("g/swap", "store", swap);
  REQUIRE(make_submodule(project));
  REQUIRE(by_shell(project, "git submodule --quiet deinit -f src").exit_code == 0);
  auto const result = project.mutate({});
  CHECK(result.exit_code != 0);
  CHECK(says(result, "src: this submodule is not checked out: git submodule update --init src\n"));
}

TEST_CASE("a compile database of another tree is refused, and what has to make it is named", "[bad_input]") {
  Project project;
  project.add_edit("g/swap", "store", swap);
  REQUIRE(by_shell(project, "./build.sh configure").exit_code == 0);  // its paths are those of the user's own tree
  REQUIRE(by_shell(project, "cp out/compile_commands.json .").exit_code == 0);
  replace(project, "mutants/lab.json", "out/compile_commands.json", "compile_commands.json");
  std::string const why = "compile_commands.json is of another tree";
  for (bool const generates : {false, true}) {
    auto const result = project.mutate(generates ? std::vector<std::string>{"--generate", "src/store.cpp"} : std::vector<std::string>{});
    CHECK(result.exit_code == 1);
    CHECK(says(result, why));
    CHECK(says(result, "; configure or build of lab.json has to make it in the copy\n"));
  }
  project.write("elsewhere.json", R"([{"directory":"/nowhere","file":"a.cpp","arguments":["g++","-c","a.cpp"]}])");
  auto const check = project.mutate({"--check", "--compile-commands", (project.root() / "elsewhere.json").string()});
  CHECK(check.exit_code == 1);
  CHECK(says(check, "elsewhere.json is of another tree (/nowhere/a.cpp)"));
}

TEST_CASE("without a compile database text is edited, and what needs one says where to name it", "[bad_input]") {
  Project project;
  project.add_mutant("g/text", R"("edit":{"file":"src/store.cpp","text":{"find":"10 * k + v","replace":"10 * v + k"}},)" + Project::reds);
  project.write("mutants/lab.json", R"({"build":["./build.sh"],"bin":"out","programs":["out/prog"]})");
  CHECK(project.mutate({}).exit_code == 0);
  project.add_edit("g/tree", "store", swap);
  std::string const remedy = "no compile database: name it in lab.json (compile_commands)";
  auto const tree = project.mutate({});
  CHECK(tree.exit_code == 8);
  CHECK(says(tree, remedy));
  auto const generated = project.mutate({"--generate", "src/store.cpp"});
  CHECK(generated.exit_code == 1);
  CHECK(says(generated, remedy));
}

TEST_CASE("a compile database that only the build makes is taken from there, and one that nothing makes is asked for", "[bad_input]") {
  Project project;
  project.add_edit("g/swap", "store", swap);
  replace(project, "build.sh", "if [ \"$1\" = configure ]; then", "if [ \"$1\" = configure ]; then exit 0; fi\nif true; then");
  replace(project, "build.sh", "  exit 0\n", "");
  auto const built = project.mutate({});
  CHECK(says(built, "   1 as declared\n"));
  CHECK(built.exit_code == 0);
  replace(project, "mutants/lab.json", "out/compile_commands.json", "out/commands.json");
  auto const none = project.mutate({});
  CHECK(none.exit_code == 1);
  CHECK(says(none, "neither configure nor build makes out/commands.json; CMAKE_EXPORT_COMPILE_COMMANDS=ON makes CMake write one"));
}

TEST_CASE("in a unity build, one source that includes the others, mutants are found, planted and killed in both ways", "[bad_input]") {
  Project project;
  add_four(project);
  project.add_mutant("g/count",
                     R"("edit":{"file":"src/more.cpp","function":"more","replace_literal":{"literal":"0","with":"1"}},)" + Project::reds);
  project.write("src/more.cpp", "namespace demo {\nint more(int n) { return n + 0; }\n}  // namespace demo\n");
  replace(project, "src/store.cpp", "namespace demo {\n", "namespace demo {\nint more(int n);\n");
  replace(project, "src/store.cpp", "return total * 2;", "return more(total) * 2;");
  project.write("src/all.cpp", "#include \"store.cpp\"\n#include \"more.cpp\"\n#include \"main.cpp\"\n");
  replace(project, "build.sh", R"("file":"src/store.cpp")", R"("file":"src/all.cpp")");
  replace(project, "build.sh", "src/store.cpp src/main.cpp", "src/all.cpp");
  replace(project, "mutants/g/twice.mutant.json", "total * 2", "more(total) * 2");
  auto const result = project.mutate({"--planting", "both"});
  CHECK(says(result, "   5 as declared\n"));
  CHECK(result.exit_code == 0);
  CHECK(project.mutate({"--generate", "src/store.cpp", "src/more.cpp", "--operators", "arithmetic"}).exit_code == 0);
}
