// Every key of a mutant file, and what is refused.
#include "gates/runner/refusal.h"
#include "mutants/driver/catalog/catalog.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using redproof::gates::Refusal;

namespace {

constexpr const char* edit = R"("edit":{"file":"a.cpp","function":"f","delete_statement":{"statement":"x"}})";
constexpr const char* reds = R"("reds":[{"gate":"g","law":"l"}])";

Mutant load(const std::string& fields, const std::string& id = "g/m") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "m.json", R"({"id":")" + id + R"(","defect":"d",)" + fields + "}");
  return load_mutant(folder.path() / "m.json", "g/m");
}

bool refused(const std::string& fields, const std::string& why) {
  try {
    load(fields);
  } catch (const Refusal& refusal) {
    INFO(refusal.what());
    return std::string(refusal.what()).find(why) != std::string::npos;
  }
  return false;
}

std::string with_edit(const std::string& body) { return R"("edit":{"file":"a.cpp",)" + body + "}," + reds; }

}  // namespace

TEST_CASE("a mutant file is read whole", "[catalog]") {
  Mutant const mutant = load(std::string(edit) + "," + reds +
                             R"(,"origin":"o/r#1","targets":["t"],"keeps_green":["h"],"expects":"oom","suppressed":"later")");
  CHECK(mutant.origin == "o/r#1");
  CHECK(mutant.edits.at(0).kind == EditKind::delete_statement);
  CHECK(mutant.edits.at(0).word("statement") == "x");
  CHECK(mutant.targets == std::vector<std::string>{"t"});
  CHECK(mutant.reds.at(0).law == "l");
  CHECK(mutant.keeps_green == std::vector<std::string>{"h"});
  CHECK(mutant.expects == Expectation::oom);
  CHECK(mutant.suppressed == "later");
  CHECK(mutant.file_sha256.size() == 64);
}

TEST_CASE("a build message, an equivalence and several edits are read", "[catalog]") {
  CHECK(load(std::string(edit) + R"(,"reds":{"build":"no such"})").build_message == "no such");
  CHECK(load(std::string(edit) + R"(,"reds":[{"build":"no such"}])").build_message == "no such");
  Mutant const same = load(std::string(edit) + R"(,"equivalent":{"witness":{"argv":["true"]}})");
  CHECK(same.equivalent);
  CHECK(same.witness.argv == std::vector<std::string>{"true"});
  std::string const text = R"({"file":"a","text":{"find":"x","replace":""}})";
  CHECK(load(R"("edits":[)" + text + "," + text + "]," + reds).edits.size() == 2);
}

TEST_CASE("what contradicts itself or promises nothing is refused", "[catalog]") {
  CHECK(refused(edit, "names no gate in reds"));
  CHECK(refused(reds, "exactly one of edit, edits"));
  CHECK(refused(std::string(edit) + "," + reds + R"(,"equivalent":{"witness":{"gate":"g"}})", "declared equivalent"));
  CHECK(refused(std::string(edit) + R"(,"equivalent":{"witness":{"gate":"g","argv":["x"]}})", "exactly one of gate, argv"));
  CHECK(refused(std::string(edit) + "," + reds + R"(,"keeps_green":["g"])", "both red and green"));
  CHECK(refused(std::string(edit) + R"(,"reds":[{"gate":"g","law":"l"},{"build":"x"}])", "both gates and a build message"));
  CHECK(refused(std::string(edit) + "," + reds + R"(,"expects":"slow")", "must be crash, timeout or oom"));
  for (const char* expects : {"crash", "timeout", "oom"})
    CHECK(refused(std::string(edit) + R"(,"reds":{"build":"x"},"expects":")" + expects + "\"", "expects needs the gate in reds"));
  CHECK(refused(std::string(edit) + "," + reds + R"(,"targets":["-j"])", "no target"));
  CHECK(refused(R"("edits":[],)" + std::string(reds), "is empty"));
  CHECK_THROWS_AS(load(std::string(edit) + "," + reds, "g/other"), Refusal);
}

TEST_CASE("keys that nobody knows are refused at every depth", "[catalog]") {
  CHECK(refused(std::string(edit) + "," + reds + R"(,"red":[])", "red"));
  CHECK(refused(with_edit(R"("function":"f","delete_statement":{"statement":"x","nth":1})"), "nth"));
  CHECK(refused(with_edit(R"("function":"f","line":3,"delete_statement":{"statement":"x"})"), "line"));
  CHECK(refused(with_edit(R"("function":"f","text":{"find":"x","replace":"y"})"), "function"));
  CHECK(refused(std::string(edit) + R"(,"reds":[{"gate":"g","law":"l","case":"c"}])", "case"));
}

TEST_CASE("an edit has one kind, with its keys", "[catalog]") {
  CHECK(refused(with_edit(R"("function":"f")"), "names no kind"));
  CHECK(refused(with_edit(R"("function":"f","delete_statement":{"statement":"x"},"replace_name":{"name":"a","with":"b"})"), "second kind"));
  CHECK(refused(with_edit(R"("function":"f","replace_name":{"name":"a"})"), "with"));
  CHECK(refused(with_edit(R"("delete_statement":{"statement":"x"})"), "function"));
  CHECK(
      refused(with_edit(R"("function":"f","move_statement":{"statement":"x","before":"y","after":"z"})"), "exactly one of before, after"));
  CHECK(refused(with_edit(R"("function":"f","replace_name":{"name":"a","with":"b\nc"})"), "line break"));
  CHECK(refused(with_edit(R"("function":"f","narrow_type":{"declaration":"a","to":"short\nint"})"), "line break"));
  CHECK(refused(with_edit(R"("function":"f","narrow_type":{"declaration":"a","to":"short\rint"})"), "line break"));
  CHECK(refused(with_edit(R"("function":"f","replace_name":{"name":"","with":"b"})"), "empty"));
}

TEST_CASE("files outside the root are refused", "[catalog]") {
  for (const char* path : {"/etc/passwd", "../a.cpp", "a/../../b.cpp", ""})
    CHECK(refused(std::string(R"("edit":{"file":")") + path + R"(","text":{"find":"x","replace":"y"}},)" + reds, "inside the root"));
  CHECK(refused(with_edit(R"("function":"f","through":"../b.cpp","delete_statement":{"statement":"x"})"), "inside the root"));
}

TEST_CASE("a gate that is named red in one law twice is refused, in two laws it is not", "[catalog]") {
  CHECK(refused(std::string(edit) + R"(,"reds":[{"gate":"g","law":"l"},{"gate":"g","law":"l"}])", "reds[1]: is there twice"));
  CHECK(refused(std::string(edit) + R"(,"reds":[{"gate":"g"},{"gate":"g"}])", "reds[1]: is there twice"));
  CHECK(load(std::string(edit) + R"(,"reds":[{"gate":"g","law":"l"},{"gate":"g","law":"k"}])").reds.size() == 2);
  CHECK(load(std::string(edit) + R"(,"reds":[{"gate":"g","message":"a"},{"gate":"g","message":"b"}])").reds.size() == 2);
}

TEST_CASE("a red without a law may promise what the gate prints", "[catalog]") {
  CHECK(load(std::string(edit) + R"(,"reds":[{"gate":"g","message":"1 test failed"}])").reds.at(0).message == "1 test failed");
  CHECK(refused(std::string(edit) + R"(,"reds":[{"gate":"g","law":"l","message":"m"}])", "stands beside a law"));
  CHECK(refused(std::string(edit) + R"(,"reds":[{"gate":"g","message":""}])", "empty"));
}
