#include "gates/runner/catalog.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

constexpr auto whole_gate = R"({"id":"kv_store","claim":"one sentence","theorem":"why","subjects":["cpu","cuda"],
"run":{"program":"gates_cpu","tag":"kv_store"},"laws":["law_a","law_b"],
"surface":["engine/kv/store_cpu.cpp::store_kv"],"needs":["file:data/x","program:tool","env:HOME"],"timeout_s":7,"network":true,"stage":"nightly",
"blind_spots":[{"what":"reads","covered_by":"kv_read"},{"what":"all","covered_by":null}],"kept_because":"it is first"})";

// What is said of the whole gate file with one thing replaced; without the path of the file.
std::string refusal_of_gate(const std::string& from, const std::string& to) {
  Folder const folder;
  auto const file = folder / "kv_store.gate.json";
  write(file, replaced(whole_gate, from, to));
  auto const message = message_of([&] { load_gate(file); });
  return message.starts_with(file.string() + ": ") ? message.substr(file.string().size() + 2) : message;
}

std::vector<std::string> ids(const std::vector<Gate>& gates) {
  std::vector<std::string> list;
  for (auto const& gate : gates) list.push_back(gate.id);
  return list;
}

std::vector<Gate> named(const std::vector<std::string>& names) {
  std::vector<Gate> gates;
  for (auto const& name : names) gates.push_back(shell_gate(name, ""));
  return gates;
}

}  // namespace

TEST_CASE("a whole gate file is read into every field", "[catalog]") {
  Folder const folder;
  write(folder / "kv_store.gate.json", whole_gate);
  auto const gate = load_gate(folder / "kv_store.gate.json");
  CHECK(gate.id == "kv_store");
  CHECK(gate.claim == "one sentence");
  CHECK(gate.theorem == "why");
  CHECK(gate.subjects == std::vector<std::string>{"cpu", "cuda"});
  CHECK(gate.program == "gates_cpu");
  CHECK(gate.tag == "kv_store");
  CHECK_FALSE(gate.foreign());
  CHECK(gate.laws == std::vector<std::string>{"law_a", "law_b"});
  REQUIRE(gate.surface.size() == 1);
  CHECK(gate.surface[0].file == "engine/kv/store_cpu.cpp");
  CHECK(gate.surface[0].symbol == "store_kv");
  CHECK(gate.needs.size() == 3);
  CHECK(gate.timeout == std::chrono::seconds(7));
  CHECK(gate.network);
  CHECK(gate.stage == Stage::nightly);
  REQUIRE(gate.blind_spots.size() == 2);
  CHECK(gate.blind_spots[0].covered_by == "kv_read");
  CHECK_FALSE(gate.blind_spots[1].covered_by.has_value());
  CHECK(gate.kept_because == "it is first");
}

TEST_CASE("a foreign gate needs no laws, has a minute and is run before a merge", "[catalog]") {
  Folder const folder;
  write(folder / "g.gate.json", gate_file("g", "exit 0"));
  auto const gate = load_gate(folder / "g.gate.json");
  CHECK(gate.foreign());
  CHECK(gate.argv == std::vector<std::string>{"/bin/sh", "-c", "exit 0"});
  CHECK(gate.laws.empty());
  CHECK(gate.timeout == std::chrono::seconds(60));
  CHECK_FALSE(gate.network);
  CHECK(gate.stage == Stage::premerge);
}

TEST_CASE("every field of a gate file that is malformed is refused by its name", "[catalog]") {
  CHECK(refusal_of_gate(R"("id":"kv_store")", R"("id":"kv_stor")") == "id: \"kv_stor\" is not the file's name");
  CHECK(refusal_of_gate(R"("id":"kv_store")", R"("id":"../kv")") == "id: must be made of [a-z0-9_], at most 80 characters");
  CHECK(refusal_of_gate(R"("id":"kv_store")", R"("id":7)") == "id: must be a string");
  CHECK(refusal_of_gate(R"("claim":"one sentence",)", "") == "(root): \"claim\" is missing");
  CHECK(refusal_of_gate(R"("claim":"one sentence")", R"("claim":"")") == "claim: must not be empty");
  CHECK(refusal_of_gate(R"("theorem":"why")", R"("theorem":null)") == "theorem: must be a string");
  CHECK(refusal_of_gate(R"(["cpu","cuda"])", "[]") == "subjects: must name a subject");
  CHECK(refusal_of_gate(R"(["cpu","cuda"])", R"(["cpu","cpu"])") == "subjects[1]: is there twice");
  CHECK(refusal_of_gate(R"(["cpu","cuda"])", R"("cpu")") == "subjects: must be a list");
  CHECK(refusal_of_gate(R"("tag":"kv_store"})", R"("argv":["x"]})") == "run: must hold either \"program\" and \"tag\", or \"argv\"");
  CHECK(refusal_of_gate(R"("program":"gates_cpu",)", "") == "run: must hold either \"program\" and \"tag\", or \"argv\"");
  CHECK(refusal_of_gate(R"(,"tag":"kv_store")", "") == "run: \"tag\" is missing");
  CHECK(refusal_of_gate(R"("tag":"kv_store")", R"("tag":"a],[b")") == "run.tag: must be made of [a-z0-9_], at most 80 characters");
  CHECK(refusal_of_gate(R"("program":"gates_cpu")", R"("program":"../sh")") == "run.program: must be the name of a program");
  CHECK(refusal_of_gate(R"("program":"gates_cpu","tag":"kv_store")", R"("argv":[])") == "run.argv: must name a program");
  CHECK(refusal_of_gate(R"("program":"gates_cpu","tag":"kv_store")", R"("argv":["a","b\u0000c"])") ==
        "run.argv[1]: holds a null character");
  CHECK(refusal_of_gate(R"("program":"gates_cpu")", R"("argv":["x"])") == "run: \"tag\" belongs to \"program\"");
  CHECK(refusal_of_gate(R"(,"tag":"kv_store")", R"(,"tag":"kv_store","shell":true)") == "run: unknown key \"shell\"");
  CHECK(refusal_of_gate(R"(["law_a","law_b"])", "[]") == "laws: must name every law that reports");
  CHECK(refusal_of_gate(R"("laws":["law_a","law_b"],)", "") == "(root): \"laws\" is missing");
  CHECK(refusal_of_gate(R"(["law_a","law_b"])", R"(["law_a",""])") == "laws[1]: must not be empty");
  CHECK(refusal_of_gate("store_cpu.cpp::store_kv", "store_cpu.cpp") == "surface[0]: must be PATH::SYMBOL");
  CHECK(refusal_of_gate("engine/kv/store_cpu.cpp", "/etc/passwd") == "surface[0]: the path must be relative and without \"..\"");
  CHECK(refusal_of_gate("engine/kv/store_cpu.cpp", "engine/../../x") == "surface[0]: the path must be relative and without \"..\"");
  CHECK(refusal_of_gate("file:data/x", "file:../x") == "needs[0]: must be file:PATH, program:NAME or env:NAME");
  CHECK(refusal_of_gate("program:tool", "program:a/b") == "needs[1]: must be file:PATH, program:NAME or env:NAME");
  for (auto const* need : {"gpu", "env:", "env:A=b", "ENV:HOME"})
    CHECK(refusal_of_gate("env:HOME", need) == "needs[2]: must be file:PATH, program:NAME or env:NAME");
  CHECK(refusal_of_gate("\"timeout_s\":7", "\"timeout_s\":0") == "timeout_s: must be at least 1");
  CHECK(refusal_of_gate("\"timeout_s\":7", "\"timeout_s\":-7") == "timeout_s: must be an integer that is not negative");
  CHECK(refusal_of_gate("\"timeout_s\":7", "\"timeout_s\":86401") == "timeout_s: must be at most 86400");
  CHECK(refusal_of_gate("\"timeout_s\":7", "\"timeout_s\":1e9") == "timeout_s: must be an integer that is not negative");
  for (auto const* stage : {"", "weekly", "Nightly"})
    CHECK(refusal_of_gate(R"("stage":"nightly")", R"("stage":")" + std::string(stage) + "\"") == "stage: must be premerge or nightly");
  CHECK(refusal_of_gate(R"("network":true)", R"("network":1)") == "network: must be true or false");
  CHECK(refusal_of_gate(R"("stage":"nightly")", R"("stage":1)") == "stage: must be a string");
  CHECK(refusal_of_gate(R"(,"covered_by":"kv_read")", "") == "blind_spots[0]: \"covered_by\" is missing");
  CHECK(refusal_of_gate(R"("covered_by":"kv_read")", R"("covered_by":"KV")") ==
        "blind_spots[0].covered_by: must be made of [a-z0-9_], at most 80 characters");
  CHECK(refusal_of_gate(R"("what":"reads")", R"("what":"")") == "blind_spots[0].what: must not be empty");
  CHECK(refusal_of_gate(R"("kept_because":"it is first")", R"("kept_because":"")") == "kept_because: must not be empty");
  CHECK(refusal_of_gate(R"("kept_because")", R"("kept_becuase")") == "(root): unknown key \"kept_becuase\"");
  CHECK(refusal_of_gate(R"("claim":"one sentence")", R"("claim":"a","claim":"b")") == "the key \"claim\" is there twice");
}

TEST_CASE("a gate file that is empty, a list, or no JSON is refused", "[catalog]") {
  Folder const folder;
  for (auto const* text : {"", "[]", "{", "null", "{}"}) {
    write(folder / "a.gate.json", text);
    CHECK_FALSE(message_of([&] { load_gate(folder / "a.gate.json"); }).empty());
  }
}

TEST_CASE("a folder's gates come sorted by id, and other files are left alone", "[catalog]") {
  Folder const folder;
  for (auto const* id : {"b", "a", "a_b", "a1"}) write(folder / (std::string(id) + ".gate.json"), gate_file(id, ""));
  write(folder / "notes.json", "{");
  std::filesystem::create_directory(folder / "cases");
  CHECK(ids(load_gates(folder.path())) == std::vector<std::string>{"a", "a1", "a_b", "b"});
  CHECK_FALSE(message_of([&] { load_gates(folder / "none"); }).empty());
}

TEST_CASE("a gate file that links out of its folder is refused", "[catalog]") {
  Folder const folder;
  Folder const outside;
  write(outside / "a.gate.json", gate_file("a", ""));
  std::filesystem::create_symlink(outside / "a.gate.json", folder / "a.gate.json");
  CHECK(message_of([&] { load_gates(folder.path()); }) == (folder / "a.gate.json").string() + ": links out of its folder");
}

TEST_CASE("gates are selected by id and glob, in the order of the catalogue, each once", "[catalog]") {
  auto const gates = named({"kv_read", "kv_store", "other"});
  CHECK(ids(select_gates(gates, {})) == std::vector<std::string>{"kv_read", "kv_store", "other"});
  CHECK(ids(select_gates(gates, {"other", "kv_read"})) == std::vector<std::string>{"kv_read", "other"});
  CHECK(ids(select_gates(gates, {"kv_*", "*store"})) == std::vector<std::string>{"kv_read", "kv_store"});
}

TEST_CASE("an id or a glob that names no gate is refused, even beside others that do", "[catalog]") {
  auto const gates = named({"kv_read", "kv_store"});
  CHECK(message_of([&] { select_gates(gates, {"kv_read", "kv_stor"}); }) == "kv_stor: no gate has this id");
  CHECK(message_of([&] { select_gates(gates, {"kv_*", "x*"}); }) == "x*: no gate has this id");
  CHECK(message_of([&] { select_gates({}, {"*"}); }) == "*: no gate has this id");
  CHECK(message_of([&] { select_gates(gates, {"\x1b[2J"}); }) == "\\x1b[2J: no gate has this id");
}

TEST_CASE("the root is the nearest folder upward that holds gates", "[catalog]") {
  Folder const folder;
  write(folder / "gates/a.gate.json", gate_file("a", ""));
  std::filesystem::create_directories(folder / "x/gates");
  CHECK(find_root(folder / "x/gates") == folder.path());
  CHECK(find_root(folder.path()) == folder.path());
  Folder const empty;
  CHECK(message_of([&] { find_root(empty.path()); }).find("holds gates/*.gate.json") != std::string::npos);
}

TEST_CASE("an id is short, lower-case and without signs", "[catalog]") {
  CHECK(is_gate_id("kv_store_1"));
  for (auto const& id : {std::string(), std::string("A"), std::string("a-b"), std::string("a/b"), std::string("a.b"), std::string(81, 'a')})
    CHECK_FALSE(is_gate_id(id));
  CHECK(is_gate_id(std::string(80, 'a')));
}
