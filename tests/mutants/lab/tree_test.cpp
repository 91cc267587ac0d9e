#include "mutants/driver/lab/tree.h"

#include "gates/runner/process.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using Names = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

void git(const fs::path& root, std::vector<std::string> words) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.cwd = root;
  REQUIRE(redproof::gates::run_process(spec).exit_code == 0);
}

}  // namespace

TEST_CASE("a git tree is what is tracked and what is not ignored", "[lab]") {
  test::TemporaryFolder const folder;
  fs::path const root = folder.path() / "with space";
  for (const char* file : {"tracked.cpp", "deleted.cpp", "new \"file\".cpp", "build/x.o", "mutate.out/plan.json"})
    test::write(root / file, "x");
  test::write(root / ".gitignore", "/build/\n");
  git(root, {"init", "-q"});
  git(root, {"add", "tracked.cpp", "deleted.cpp"});
  git(root, {"commit", "-q", "-m", "first"});
  fs::remove(root / "deleted.cpp");
  CHECK(tree_files(root, root / "mutate.out") == Names{".gitignore", "new \"file\".cpp", "tracked.cpp"});
}

TEST_CASE("without git a tree is everything but build folders", "[lab]") {
  test::TemporaryFolder const folder;
  for (const char* file : {"a.cpp", "sub/b.cpp", "build/CMakeCache.txt", "build/x.o", "out/plan.json"})
    test::write(folder.path() / file, "x");
  CHECK(tree_files(folder.path(), folder.path() / "out") == Names{"a.cpp", "sub/b.cpp"});
}

TEST_CASE("where git does not list a repository's files, what it ignores is not taken for them", "[lab]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / ".git", "no repository of git\n");
  test::write(folder.path() / "sub/a.cpp", "x");
  for (fs::path const& root : {folder.path(), folder.path() / "sub"})
    CHECK_THROWS_WITH(tree_files(root, {}), ContainsSubstring(root.string() + ": git does not list its files: "));
}

TEST_CASE("a copy is equal by hash, keeps modes and links, and never links back into the user's tree", "[lab]") {
  test::TemporaryFolder const folder;
  fs::path const from = folder.path() / "from", to = folder.path() / "to";
  test::write(from / "a.sh", "x\r\n");
  fs::permissions(from / "a.sh", fs::perms::owner_all);
  fs::create_symlink("a.sh", from / "relative");
  fs::create_symlink(from / "a.sh", from / "absolute");
  Names const files = tree_files(from, {});
  copy_tree(from, files, to);
  CHECK(tree_sha256(from, files, {}) == tree_sha256(to, files, {}));
  CHECK((fs::status(to / "a.sh").permissions() & fs::perms::owner_exec) != fs::perms::none);
  CHECK(fs::read_symlink(to / "absolute") == to / "a.sh");
  CHECK(fs::canonical(to / "relative") == to / "a.sh");
}

TEST_CASE("a copy may be written, whatever the original's mode, and is executable where that is", "[lab]") {
  test::TemporaryFolder const folder;
  fs::path const from = folder.path() / "from", to = folder.path() / "to";
  auto const mode_of_copy = [&](const char* name, unsigned mode) {
    test::write(from / name, "x");
    fs::permissions(from / name, fs::perms(mode));
    copy_tree(from, {name}, to);
    return static_cast<unsigned>(fs::status(to / name).permissions());
  };
  CHECK(mode_of_copy("read", 0444) == 0644);
  CHECK(mode_of_copy("run", 0555) == 0755);
  CHECK(mode_of_copy("plain", 0640) == 0640);
}

TEST_CASE("a submodule that is not checked out is known, and any other folder is none", "[lab]") {
  test::TemporaryFolder const folder;
  fs::path const root = folder.path() / "main";
  test::write(folder.path() / "library/a.cpp", "x");
  git(folder.path() / "library", {"init", "-q"});
  git(folder.path() / "library", {"add", "."});
  git(folder.path() / "library", {"commit", "-q", "-m", "1"});
  test::write(root / "b.cpp", "x");
  git(root, {"init", "-q"});
  CHECK(empty_submodules(root).empty());
  git(root, {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", folder.path() / "library", "sub"});
  CHECK(empty_submodules(root).empty());
  CHECK(tree_files(root, {}) == Names{".gitmodules", "b.cpp", "sub/a.cpp"});
  git(root, {"submodule", "--quiet", "deinit", "-f", "sub"});
  CHECK(empty_submodules(root) == Names{"sub"});
  CHECK(tree_files(root, {}) == Names{".gitmodules", "b.cpp"});
}

TEST_CASE("a tree's hash sees every byte and name, but for what is skipped", "[lab]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "a", "1");
  test::write(folder.path() / "m.mutant.json", "1");
  Names const files{"a", "m.mutant.json"};
  std::string const before = tree_sha256(folder.path(), files, ".mutant.json");
  test::write(folder.path() / "m.mutant.json", "2");
  CHECK(tree_sha256(folder.path(), files, ".mutant.json") == before);
  CHECK(tree_sha256(folder.path(), files, {}) != before);
  test::write(folder.path() / "a", "2");
  CHECK(tree_sha256(folder.path(), files, ".mutant.json") != before);
}
