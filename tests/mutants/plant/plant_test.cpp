#include "mutants/driver/plant/plant.h"

#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

MutatedFile mutated(const std::string& before, const std::string& after) { return {"a.cpp", before, after, sha256(before), sha256(after)}; }

}  // namespace

TEST_CASE("a mutant is planted with a newer time and taken out byte for byte", "[plant]") {
  test::TemporaryFolder const folder;
  auto const file = folder.path() / "a.cpp";
  test::write(file, "one\r\ntwo");
  auto const before = std::filesystem::last_write_time(file);
  PlantedTree tree(folder.path());
  tree.plant({mutated("one\r\ntwo", "one\r\nTWO")});
  CHECK(tree.is_planted());
  CHECK(test::read(file) == "one\r\nTWO");
  CHECK(tree.hashes().at("a.cpp") == sha256("one\r\nTWO"));
  auto const planted = std::filesystem::last_write_time(file);
  CHECK(planted > before);
  tree.restore();
  CHECK(test::read(file) == "one\r\ntwo");
  CHECK(std::filesystem::last_write_time(file) > planted);
  CHECK_FALSE(tree.is_planted());
}

TEST_CASE("a tree that is not pristine is never planted in", "[plant]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "a.cpp", "changed by someone");
  PlantedTree tree(folder.path());
  CHECK_THROWS_AS(tree.plant({mutated("one", "two")}), NotRestored);
  CHECK(test::read(folder.path() / "a.cpp") == "changed by someone");
}
