#include "mutants/driver/cache/verdict_key.h"

#include <fmt/format.h>

#include "mutants/driver/lab/tree.h"
#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace fs = std::filesystem;

namespace {

constexpr const char* source = "#include \"a.h\"\n#define STEP 1\nint f(int n) { return n + STEP; }\n";

// A tree with one source, built, and the key of a mutant of it.
class Built {
 public:
  Built() {
    write("a.cpp", source);
    write("a.h", "#define LIMIT 5\n");
    write("notes.md", "notes\n");
    write("other.cpp", "int g();\n");
    write("input.md", "1\n");
    write("../lab.json", "{}");
    write("models/big", "12345");
    lab_.compile_commands = "out/db.json";
    lab_.programs = {"out/a.o"};
    lab_.build = {"sh", "-c", "mkdir -p out && g++ -c -o out/a.o a.cpp"};
    lab_.links = {"models"};
    lab_.inputs = {"input.md"};
  }

  void write(const std::string& file, const std::string& text) { test::write(folder_.path() / "root" / file, text); }
  fs::path at(const std::string& file) const { return folder_.path() / "root" / file; }
  LabConfig& lab() { return lab_; }
  Plan& plan() { return plan_; }
  GateResults& results() { return results_; }
  std::vector<redproof::gates::Gate>& gates() { return gates_; }
  std::string& judge() { return judge_; }
  std::string& planting() { return planting_; }
  std::string& witness() { return witness_; }

  // Of the mutant that makes `after` of a.cpp.
  std::string key(const std::string& after = std::string(source).replace(std::string(source).find("n + STEP"), 8, "n - STEP")) {
    std::vector<std::string> files{"a.cpp", "a.h", "input.md", "notes.md", "other.cpp"};
    fs::path const home = folder_.path() / fmt::format("w{}", next_++);
    Worker worker(lab_, home, {});
    worker.copy(folder_.path() / "root", files);
    test::write(worker.tree() / "out/db.json",
                fmt::format(R"([{{"directory":"{0}","file":"a.cpp","command":"g++ -c -o out/a.o a.cpp"}}])", worker.tree().string()));
    REQUIRE(worker.build({}).ok());
    plan_.root = folder_.path() / "root";
    plan_.tree_sha256 = tree_sha256(worker.tree(), files, {});
    std::string const before = test::read(at("a.cpp"));
    PlannedMutant planned;
    planned.mutant.id = "g/m";
    planned.mutant.reds = {{"g", "law"}};
    if (!witness_.empty()) planned.mutant.witness.argv = {witness_};
    planned.finding.files = {{"a.cpp", before, after, sha256(before), sha256(after)}};
    std::map<std::string, std::string> hashes{{at("../lab.json").string(), sha256_of_file(at("../lab.json"))}};
    for (const auto& gate : gates_) hashes[gate.file.string()] = sha256_of_file(gate.file);
    VerdictKeys keys({plan_, lab_, at("../lab.json"), gates_, hashes, files, judge_}, worker, results_);
    keys.make({&planned}, 1);
    std::string const key = keys.of(planned, planting_);
    CHECK(keys.why_not().empty());
    return key;
  }

 private:
  test::TemporaryFolder folder_;
  LabConfig lab_;
  Plan plan_;
  GateResults results_;
  std::vector<redproof::gates::Gate> gates_;
  std::string judge_ = "judge", planting_ = "schemata", witness_;
  int next_ = 0;
};

}  // namespace

TEST_CASE("a key is the same in another lab, whatever documents and sources say that no program is made of", "[cache]") {
  Built built;
  std::string const key = built.key();
  built.write("notes.md", "more\n");
  built.write("other.cpp", "int h();\n");
  CHECK(built.key() == key);
}

TEST_CASE("a key changes with the change, the programs, the inputs, the plan and the lab", "[cache]") {
  Built built;
  std::string const key = built.key();
  CHECK(built.key(std::string(source).replace(std::string(source).find("n + STEP"), 8, "n * STEP")) != key);
  CHECK(built.key(std::string(source) + "\n") != key);
  built.write("input.md", "2\n");
  CHECK(built.key() != key);
  built.write("input.md", "1\n");
  built.write("a.h", "#define LIMIT 6\n");
  CHECK(built.key() != key);
  built.write("a.h", "#define LIMIT 5\n");
  built.write("../lab.json", "{ }");
  CHECK(built.key() != key);
  built.write("../lab.json", "{}");
  CHECK(built.key() == key);
  built.plan().seed = 2;
  CHECK(built.key() != key);
}

TEST_CASE("a key changes with the judge, the platform and the planting", "[cache]") {
  Built built;
  std::string const key = built.key();
  built.judge() = "another";
  CHECK(built.key() != key);
  built.judge() = "judge";
  built.plan().platform = "another";
  CHECK(built.key() != key);
  built.plan().platform.clear();
  built.planting() = "one_a_build";
  CHECK(built.key() != key);
  built.planting() = "schemata";
  CHECK(built.key() == key);
}

TEST_CASE("a key changes with the evidence that the mutant's gates show without it, and with no other", "[cache]") {
  Built built;
  redproof::gates::GateResult green;
  green.id = "g";
  green.verdict = redproof::gates::Verdict::green;
  green.evidence.laws.emplace_back();
  green.evidence.laws.front().law = "law";
  green.evidence.laws.front().elements = 5;
  built.results() = {{"g", green}, {"other", green}};
  std::string const key = built.key();
  built.results().at("other").evidence.laws.front().elements = 6;
  CHECK(built.key() == key);
  built.results().at("g").evidence.laws.front().elements = 6;
  CHECK(built.key() != key);
  built.results().at("g") = green;
  built.results().at("g").process.landlock_applied = true;
  CHECK(built.key() != key);
}

TEST_CASE("a key changes with what gates and witnesses run, and with the libraries of programs", "[cache]") {
  Built built;
  built.write("../check", "one");
  built.write("../witness", "one");
  built.write("../g.gate.json", "{}");
  built.gates().emplace_back();
  built.gates().front().id = "g";
  built.gates().front().argv = {built.at("../check").string()};
  built.gates().front().file = built.at("../g.gate.json");
  built.witness() = built.at("../witness").string();
  std::string const command = "g++ -shared -fPIC -o " + built.at("../liba.so").string() + " -x c++ - && ";
  auto const with_library = [&](const std::string& text) {
    built.lab().build = {"sh", "-c",
                         "mkdir -p out && g++ -c -o out/a.o a.cpp && echo '" + text + "' | " + command +
                             "echo 'int l(); int main() { return l(); }' | g++ -o out/prog -x c++ - -L" + built.at("..").string() +
                             " -la -Wl,-rpath," + built.at("..").string()};
    return built.key();
  };
  built.lab().programs = {"out/a.o", "out/prog"};
  std::string const key = with_library("int l() { return 1; }");
  CHECK(with_library("int l() { return 1; }") == key);
  CHECK(with_library("int l() { return 2; }") != key);
  for (const char* const file : {"../check", "../witness", "../g.gate.json"}) {
    INFO(file);
    std::string const before = test::read(built.at(file));
    built.write(file, "another");
    CHECK(with_library("int l() { return 1; }") != key);
    built.write(file, before);
  }
  CHECK(with_library("int l() { return 1; }") == key);
}

TEST_CASE("a linked folder counts by the names, sizes and times of its files", "[cache]") {
  Built built;
  std::string const key = built.key();
  fs::last_write_time(built.at("models/big"), fs::last_write_time(built.at("models/big")) + std::chrono::seconds(1));
  std::string const later = built.key();
  CHECK(later != key);
  built.write("models/more", "");
  CHECK(built.key() != later);
}

TEST_CASE("where inputs are not named, or a directive changes, the whole tree counts", "[cache]") {
  Built named;
  std::string const directive = std::string(source).replace(std::string(source).find("STEP 1"), 6, "STEP 2");
  std::string const key = named.key(directive);
  named.write("notes.md", "more\n");
  CHECK(named.key(directive) != key);
  Built open;
  open.lab().inputs.reset();
  std::string const before = open.key();
  open.write("notes.md", "more\n");
  CHECK(open.key() != before);
}
