#include "gates/runner/refusal.h"
#include "mutants/driver/lab/tree.h"
#include "mutants/driver/prepared/prepared.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace fs = std::filesystem;

namespace {

class Left {
 public:
  Left() {
    test::write(tree() / "out/prog", "program");
    Prepared prepared;
    prepared.lab.bin = "out";
    prepared.lab.programs = {"out/prog"};
    prepared.numbering = {{{"src/a.cpp", "f", 3, true}}, {{"g/a", 2}}, {{2, {0}}}};
    redproof::gates::GateResult& gate = prepared.pristine["g"];
    gate.id = "g";
    gate.verdict = redproof::gates::Verdict::green;
    redproof::gates::LawEvidence& law = gate.evidence.laws.emplace_back();
    law.law = "l";
    law.elements = 7;
    prepared.pristine["h"].id = "h";
    prepared.pristine["h"].verdict = redproof::gates::Verdict::green;
    prepared.pristine["h"].evidence.exit_code_only = true;
    prepared.tree_sha256 = tree_sha256(tree(), all_files(tree()), {});
    text_ = to_json(prepared);
    write(text_);
  }
  fs::path tree() const { return folder_.path() / prepared_tree; }
  Prepared prepared() const { return read_prepared(folder_.path()); }
  std::string refusal(const std::string& from, const std::string& to) {
    REQUIRE(text_.find(from) != std::string::npos);
    std::string text = text_;
    write(text.replace(text.find(from), from.size(), to));
    try {
      prepared();
    } catch (const redproof::gates::Refusal& refusal) {
      return refusal.what();
    }
    return "none";
  }

 private:
  void write(const std::string& text) const { test::write(folder_.path() / "prepared.json", text); }
  test::TemporaryFolder folder_;
  std::string text_;
};

}  // namespace

TEST_CASE("a prepared folder is read as it was written", "[prepared]") {
  Left const left;
  Prepared const prepared = left.prepared();
  CHECK(to_json(prepared) == test::read(left.tree().parent_path() / "prepared.json"));
  CHECK(prepared.numbering.functions.at(0).is_constexpr);
  CHECK(prepared.pristine.at("g").evidence.elements() == 7);
  CHECK_FALSE(prepared.pristine.at("g").evidence.exit_code_only);
  CHECK(prepared.pristine.at("h").evidence.exit_code_only);
}

TEST_CASE("a prepared folder that was changed is refused by its field", "[prepared]") {
  Left left;
  auto const [from, to, field] = GENERATE(table<std::string, std::string, std::string>({
      {"redproof.prepared.1", "redproof.prepared.2", "schema: is not"},
      {"\"out/prog\"", "\"../prog\"", "programs[0]: must be relative"},
      {"\"verdict\": \"green\"", "\"verdict\": \"fine\"", "verdict: is no verdict"},
      {"\"number\": 2", "\"number\": 0", "mutants[0]: has no number and functions of its own"},
      {"[\n     0\n    ]", "[1]", "functions[0]: is the number of no function"},
      {"[\n     0\n    ]", "[]", "mutants[0]: has no number and functions of its own"},
      {"\"out\"", "\"/out\"", "bin: must be relative"},
  }));
  CHECK_THAT(left.refusal(from, to), ContainsSubstring(field));
}

TEST_CASE("a file more or less in the prepared tree is refused", "[prepared]") {
  Left const left;
  bool const more = GENERATE(true, false);
  more ? test::write(left.tree() / "out/more", "") : void(fs::remove(left.tree() / "out/prog"));
  CHECK_THROWS_WITH(left.prepared(), ContainsSubstring("is not the tree that was prepared"));
}
