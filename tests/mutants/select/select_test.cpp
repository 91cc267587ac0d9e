#include "mutants/driver/select/select.h"

#include <algorithm>
#include <iterator>

#include "gates/runner/refusal.h"
#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

Mutant mutant(const std::string& id, const std::string& file, const std::string& function) {
  Mutant made;
  made.id = id;
  made.edits.resize(1);
  made.edits[0].file = file;
  made.edits[0].function = function;
  return made;
}

std::string placed(const std::vector<std::string>& files, const std::vector<std::string>& functions) {
  Selection selection;
  selection.files = files;
  selection.functions = functions;
  std::vector<Mutant> const mutants{mutant("g/a", "src/a.cpp", "f"), mutant("g/b", "src/b.cpp", "demo::f"), mutant("g/c", "inc/c.h", "")};
  std::string ids;
  for (const Mutant& one : select_by_place(mutants, selection)) ids += one.id.substr(2);
  return ids;
}

// Line 4 of eight is mutated.
bool touched(const TouchedLines& lines, const std::vector<LineSpan>& spans = {}, const std::string& mutated = "1\n2\n3\nX\n5\n6\n7\n8\n") {
  Finding finding;
  finding.files = {{"f", "1\n2\n3\n4\n5\n6\n7\n8\n", mutated, "", ""}};
  FileDiff file;
  file.after = "f";
  file.touched = {lines};
  return is_touched(finding, {file}, {{"f", spans}});
}

}  // namespace

TEST_CASE("mutants are chosen by file and function, and a word that fits none is refused", "[select]") {
  CHECK(placed({}, {}) == "abc");
  CHECK(placed({"src/*"}, {}) == "ab");
  CHECK(placed({"*.h", "src/a.cpp"}, {}) == "ac");
  CHECK(placed({}, {"f"}) == "ab");
  // A mutant may name its function plainly: then every qualified one may be it.
  CHECK(placed({}, {"demo::f"}) == "ab");
  CHECK(placed({"*.h"}, {"f"}).empty());
  CHECK_THROWS_WITH(placed({"src"}, {}), ContainsSubstring("--file src: no mutant is there"));
  CHECK_THROWS_WITH(placed({}, {"mo::g"}), ContainsSubstring("--function mo::g: no mutant is there"));
}

TEST_CASE("a diff concerns a mutant of one of its lines, or of a function that it touches", "[select]") {
  CHECK(touched({4, 4}));
  CHECK(touched({3, 5}));
  CHECK_FALSE(touched({5, 8}));
  CHECK(touched({5, 8}, {{3, 6}}));
  CHECK_FALSE(touched({7, 8}, {{3, 6}}));
  CHECK_FALSE(touched({7, 8}, {{7, 8}}));
}

TEST_CASE("each line of a mutant counts", "[select]") {
  std::string const second_and_seventh = "1\nX\n3\n4\n5\n6\nX\n8\n";
  CHECK(touched({2, 2}, {}, second_and_seventh));
  CHECK(touched({7, 7}, {}, second_and_seventh));
  CHECK(touched({5, 5}, {{5, 8}}, second_and_seventh));
  CHECK_FALSE(touched({3, 6}, {}, second_and_seventh));
}

TEST_CASE("lines that went away touch the lines beside them, and the function that held them", "[select]") {
  CHECK(touched({3, 4, true}));
  CHECK(touched({4, 5, true}));
  CHECK_FALSE(touched({5, 6, true}));
  CHECK(touched({5, 6, true}, {{3, 6}}));
  CHECK_FALSE(touched({6, 7, true}, {{3, 6}}));
}

TEST_CASE("a function spans the lines of its tree, a record none", "[select]") {
  FileSyntax file;
  file.text = "int f() {\n  return 1;\n}\nstruct S {};\n";
  file.scopes.resize(2);
  file.scopes[0].nodes.resize(1);
  file.scopes[0].nodes[0].range = {0, 24};
  file.scopes[1].kind = ScopeKind::record;
  file.scopes[1].nodes.resize(1);
  file.scopes[1].nodes[0].range = {25, 36};
  Spans const spans = spans_of({{"f", file}});
  REQUIRE(spans.at("f").size() == 1);
  CHECK(spans.at("f")[0].first == 1);
  CHECK(spans.at("f")[0].last == 3);
}

TEST_CASE("a sample depends on the seed alone, and a mutant more moves no other", "[select]") {
  std::vector<std::string> ids;
  for (int i = 0; i < 40; ++i) ids.push_back("g/m" + std::to_string(i));
  auto const sample = sample_of(ids, 10, 7);
  CHECK(sample.size() == 10);
  CHECK(std::is_sorted(sample.begin(), sample.end()));
  CHECK(sample == sample_of(ids, 10, 7));
  CHECK(sample != sample_of(ids, 10, 8));
  CHECK(sample_of(ids, 0, 7).size() == 40);
  CHECK(sample_of(ids, 100, 7).size() == 40);
  ids.push_back("g/more");
  auto const larger = sample_of(ids, 10, 7);
  std::vector<std::size_t> kept;
  std::set_intersection(sample.begin(), sample.end(), larger.begin(), larger.end(), std::back_inserter(kept));
  CHECK(kept.size() >= 9);
}
