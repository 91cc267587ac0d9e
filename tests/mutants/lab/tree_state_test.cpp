#include "mutants/driver/lab/tree_state.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using redproof::mutants::TreeState;
namespace fs = std::filesystem;
namespace test = redproof::mutants::test;

TEST_CASE("a file that was written again with the same bytes has not changed", "[lab]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "a", "one");
  test::write(folder.path() / "d/b", "two");
  TreeState state(folder.path(), {"a", "d/b", "not_there"});
  CHECK(state.changed().empty());
  test::write(folder.path() / "a", "two");
  test::write(folder.path() / "a", "one");
  test::write(folder.path() / "of_no_concern", "x");
  CHECK(state.changed().empty());
}

TEST_CASE("a file with other bytes, another target, none, or where none was, is named", "[lab]") {
  test::TemporaryFolder const folder;
  auto const changed_by = [&](const auto& change) {
    fs::remove_all(folder.path() / "t");
    test::write(folder.path() / "t/a", "one");
    test::write(folder.path() / "t/b", "two");
    fs::create_symlink("a", folder.path() / "t/link");
    TreeState state(folder.path() / "t", {"a", "b", "link", "new"});
    change(folder.path() / "t");
    auto const changed = state.changed();
    return changed.size() == 1 ? changed.front() : std::to_string(changed.size()) + " files";
  };
  CHECK(changed_by([](const fs::path& tree) { test::write(tree / "b", "owt"); }) == "b");
  CHECK(changed_by([](const fs::path& tree) { fs::remove(tree / "a"); }) == "a");
  CHECK(changed_by([](const fs::path& tree) { test::write(tree / "new", ""); }) == "new");
  CHECK(changed_by([](const fs::path& tree) {
          fs::remove(tree / "link");
          fs::create_symlink("b", tree / "link");
        }) == "link");
  // A time that was put back hides nothing.
  CHECK(changed_by([](const fs::path& tree) {
          auto const time = fs::last_write_time(tree / "b");
          test::write(tree / "b", "owt");
          fs::last_write_time(tree / "b", time);
        }) == "b");
}

TEST_CASE("every file that changed is named, until it is forgotten", "[lab]") {
  test::TemporaryFolder const folder;
  for (const char* const name : {"a", "b", "c"}) test::write(folder.path() / name, "one");
  TreeState state(folder.path(), {"a", "b", "c"});
  test::write(folder.path() / "a", "two");
  test::write(folder.path() / "c", "two");
  CHECK(state.changed() == std::vector<std::string>{"a", "c"});
  state.forget({"a"});
  CHECK(state.changed() == std::vector<std::string>{"c"});
}
