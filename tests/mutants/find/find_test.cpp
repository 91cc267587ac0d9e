#include "mutants/driver/find/find.h"

#include "gates/runner/refusal.h"
#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

Edit literal(const std::string& file, const std::string& from, const std::string& to) {
  Edit edit;
  edit.file = file;
  edit.function = "f";
  edit.kind = EditKind::replace_literal;
  edit.words = {{"literal", from}, {"with", to}};
  return edit;
}

struct Tree {
  test::TemporaryFolder folder;
  FindOptions options;

  Tree() {
    test::write(folder.path() / "a.h", "#pragma once\nconstexpr int f() { return 1 + 2; }\n");
    test::write(folder.path() / "b.cpp", "#include \"a.h\"\nint g() { return f(); }\n");
    test::write(folder.path() / "db.json",
                R"([{"directory":")" + folder.path().string() + R"(","file":"b.cpp","command":"g++ -std=c++20 -c b.cpp"}])");
    options = {folder.path(), folder.path() / "db.json", 2};
  }
};

}  // namespace

TEST_CASE("a header is parsed through a source that includes it, found or named", "[find]") {
  Tree const tree;
  Mutant searched, named, wrong;
  searched.edits = {literal("a.h", "1", "7")};
  named.edits = {literal("a.h", "1", "7")};
  named.edits[0].through = "b.cpp";
  wrong.edits = {literal("a.h", "1", "7")};
  wrong.edits[0].through = "c.cpp";
  auto const findings = find({searched, named, wrong}, tree.options);
  for (std::size_t i : {0, 1}) {
    REQUIRE(findings[i].files.size() == 1);
    CHECK(findings[i].files[0].after == "#pragma once\nconstexpr int f() { return 7 + 2; }\n");
    CHECK(findings[i].files[0].before_sha256 == sha256(findings[i].files[0].before));
    CHECK(findings[i].files[0].after_sha256 == sha256(findings[i].files[0].after));
  }
  CHECK(findings[2].broken.find("no compile command reaches c.cpp") != std::string::npos);
}

TEST_CASE("of several edits all have to apply", "[find]") {
  Tree const tree;
  Mutant both, half;
  both.edits = {literal("a.h", "1", "7"), literal("a.h", "2", "8")};
  half.edits = {literal("a.h", "1", "7"), literal("a.h", "3", "8")};
  auto const findings = find({both, half}, tree.options);
  CHECK(findings[0].files.at(0).after.find("7 + 8") != std::string::npos);
  CHECK(findings[1].files.empty());
  CHECK_FALSE(findings[1].stale.empty());
}

TEST_CASE("without a compile database a tree edit is broken, a text edit is not", "[find]") {
  Tree tree;
  tree.options.compile_commands.reset();
  Mutant syntax, text;
  syntax.edits = {literal("a.h", "1", "7")};
  text.edits = {{"a.h", "", "", "", EditKind::text, {{"find", "1"}, {"replace", "7"}}}};
  auto const findings = find({syntax, text}, tree.options);
  CHECK(findings[0].broken.find("no compile database") != std::string::npos);
  CHECK(findings[1].files.size() == 1);
}

TEST_CASE("symbols are printed as path::name, and a file that does not parse is refused", "[find]") {
  Tree const tree;
  CHECK(symbols({"a.h", "b.cpp"}, tree.options) == std::vector<std::string>{"a.h::f", "b.cpp::g"});
  CHECK_THROWS_AS(symbols({"none.h"}, tree.options), redproof::gates::Refusal);
}
