#include "mutants/driver/catalog/catalog.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using redproof::gates::Refusal;
namespace fs = std::filesystem;

namespace {

std::string mutant(const std::string& id) {
  return R"({"id":")" + id + R"(","defect":"d","edit":{"file":"a","text":{"find":"x","replace":"y"}},"reds":[{"gate":"g","law":"l"}]})";
}

}  // namespace

TEST_CASE("a catalogue is read in the order of ids, from GROUP/NAME.mutant.json alone", "[catalog]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "b/x.mutant.json", mutant("b/x"));
  test::write(folder.path() / "a/y.mutant.json", mutant("a/y"));
  test::write(folder.path() / "a/notes.json", "not read");
  auto const mutants = load_catalog(folder.path());
  REQUIRE(mutants.size() == 2);
  CHECK(mutants[0].id == "a/y");
  CHECK(mutants[1].id == "b/x");
  CHECK_THROWS_AS(load_catalog(folder.path() / "none"), Refusal);
  test::write(folder.path() / "deep/er/z.mutant.json", mutant("deep/er/z"));
  CHECK_THROWS_AS(load_catalog(folder.path()), Refusal);
}

TEST_CASE("a mutant file that links out of the catalogue is refused", "[catalog]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "x.json", mutant("a/x"));
  fs::create_directories(folder.path() / "mutants/a");
  fs::create_symlink(folder.path() / "x.json", folder.path() / "mutants/a/x.mutant.json");
  CHECK_THROWS_AS(load_catalog(folder.path() / "mutants"), Refusal);
}

TEST_CASE("mutants are selected by ids and globs, and a pattern that matches nothing is refused", "[catalog]") {
  std::vector<Mutant> mutants(3);
  mutants[0].id = "read/a";
  mutants[1].id = "store/a";
  mutants[2].id = "store/b";
  CHECK(select_mutants(mutants, {}).size() == 3);
  CHECK(select_mutants(mutants, {"store/*"}).size() == 2);
  CHECK(select_mutants(mutants, {"*"}).size() == 3);
  CHECK(select_mutants(mutants, {"*a"}).size() == 2);
  CHECK(select_mutants(mutants, {"read?a"}).size() == 1);
  CHECK(select_mutants(mutants, {"store/b", "read/?"}).front().id == "read/a");
  CHECK_THROWS_AS(select_mutants(mutants, {"store/b", "c/*"}), Refusal);
}

TEST_CASE("gates and laws that a mutant names have to exist", "[catalog]") {
  redproof::gates::Gate gate;
  gate.id = "g";
  gate.laws = {"l"};
  Mutant named;
  named.reds = {{"g", "l"}};
  CHECK_NOTHROW(check_gates_exist({named}, {gate}));
  named.reds = {{"g", "k"}};
  for (auto const expects : {Expectation::law, Expectation::crash, Expectation::timeout, Expectation::oom}) {
    named.expects = expects;
    CHECK_THROWS_WITH(check_gates_exist({named}, {gate}), ContainsSubstring("no law named k"));
  }
  named.expects = Expectation::law;
  named.reds = {{"g", ""}};
  CHECK_THROWS_WITH(check_gates_exist({named}, {gate}), ContainsSubstring("needs the law"));
  named.reds = {{"g", "l"}};
  named.keeps_green = {"h"};
  CHECK_THROWS_WITH(check_gates_exist({named}, {gate}), ContainsSubstring("no gate named h"));
}

TEST_CASE("only paths inside the root are safe", "[catalog]") {
  for (const char* path : {"a", "a/b.cpp", "a b/c", "..a/b"}) CHECK(is_safe_path(path));
  for (const char* path : {"", "/a", "../a", "a/../../b", "a/"}) CHECK_FALSE(is_safe_path(path));
}
