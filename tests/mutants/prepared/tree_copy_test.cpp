#include "gates/runner/refusal.h"
#include "mutants/driver/prepared/prepared.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace fs = std::filesystem;

namespace {

struct Built {
  test::TemporaryFolder folder;
  fs::path tree = folder.path() / "tree", to = folder.path() / "to";
  LabConfig lab;

  Built() {
    for (const char* file : {"gates/g.gate.json", "out/bin/prog", "out/other", "src/a.cpp", "data/deep/x"}) test::write(tree / file, file);
    test::write(folder.path() / "models/m", "m");
    fs::create_directory_symlink(folder.path() / "models", tree / "models");
    lab.bin = "out/bin";
    lab.programs = {"out/bin/prog", "out/other"};
    lab.links = {"models", "absent"};
  }
  std::vector<std::string> copied(std::optional<std::vector<std::string>> inputs) {
    lab.inputs = std::move(inputs);
    copy_prepared_tree(tree, lab, {"data/deep/x", "src/a.cpp"}, to);
    return all_files(to);
  }
};

}  // namespace

TEST_CASE("programs, gates, links' contents and the named inputs are copied", "[prepared]") {
  Built built;
  std::vector<std::string> const expected{"data/deep/x", "gates/g.gate.json", "models/m", "out/bin/prog", "out/other"};
  CHECK(built.copied(std::vector<std::string>{"data"}) == expected);
  CHECK_FALSE(fs::is_symlink(built.to / "models"));
  CHECK(test::read(built.to / "out/bin/prog") == "out/bin/prog");
}

TEST_CASE("without named inputs all of the tree is copied", "[prepared]") {
  Built built;
  std::vector<std::string> const expected{"data/deep/x", "gates/g.gate.json", "models/m", "out/bin/prog", "out/other", "src/a.cpp"};
  CHECK(built.copied(std::nullopt) == expected);
}

TEST_CASE("an input that is not there is refused by name", "[prepared]") {
  Built built;
  CHECK_THROWS_WITH(built.copied(std::vector<std::string>{"no/such"}), ContainsSubstring("no/such: is no file"));
}
