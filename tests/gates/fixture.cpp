#include "tests/gates/fixture.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "gates/runner/refusal.h"
#include "tests/catch.h"

namespace redproof::tests {

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "redproof-test-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  path_ = std::filesystem::canonical(name);
}

Folder::~Folder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

void write(const std::filesystem::path& path, const std::string& text) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  REQUIRE(file.good());
}

void write_script(const std::filesystem::path& path, const std::string& body) {
  write(path, "#!/bin/sh\n" + body);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  auto const at = text.find(from);
  INFO(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(from, at + 1) == std::string::npos);
  return text.substr(0, at) + to + text.substr(at + from.size());
}

std::string message_of(const std::function<void()>& refuses) {
  try {
    refuses();
  } catch (const gates::Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

gates::ProcessSpec shell(const std::string& script) {
  gates::ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", script};
  spec.timeout = std::chrono::seconds(60);
  spec.grace = std::chrono::milliseconds(100);
  return spec;
}

gates::Gate shell_gate(const std::string& id, const std::string& script) {
  gates::Gate gate;
  gate.id = id;
  gate.claim = "what it claims";
  gate.theorem = "why it holds";
  gate.subjects = {"cpu"};
  gate.argv = {"/bin/sh", "-c", script};
  gate.file = id + ".gate.json";
  return gate;
}

std::string green_evidence(const std::string& id) {
  return R"({"nonce":"$REDPROOF_NONCE","schema":"redproof.evidence.1","gate":")" + id +
         R"(","program":"fake","seed":1,
"laws":[{"law":"law_a","subject":"cpu/avx2","verdict":"green","reason":"","elements":10,"failures":0,
"population":{"ties":4,"normals":6},"floors":{"ties":4},"separates":["store/kv_swap"],"bound":"half an ulp","margin":8.0,"slack":2.0,
"worst":{"where":"element 3","inputs":"x=1.5","observed":"0x39","truth":"0x38","error":0.25,"bound":0.5},
"reproduce":"gates run it --seed 1"}],
"mutant":null,"end":{"laws":1,"elements":10}})";
}

std::string red_evidence(const std::string& id) {
  auto text = replaced(green_evidence(id), R"("verdict":"green")", R"("verdict":"red")");
  text = replaced(text, R"("failures":0)", R"("failures":3)");
  return replaced(text, R"("error":0.25)", R"("error":2.0)");
}

std::string leaving(const std::string& evidence, int exit_code) {
  return "cat > \"$REDPROOF_EVIDENCE.tmp\" <<END\n" + evidence + "\nEND\nmv \"$REDPROOF_EVIDENCE.tmp\" \"$REDPROOF_EVIDENCE\"\nexit " +
         std::to_string(exit_code) + "\n";
}

std::string gate_file(const std::string& id, const std::string& script) {
  std::string quoted;
  for (char const c : script) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? "\\n" : std::string(1, c);
  }
  return R"({"id":")" + id + R"(","claim":"what it claims","theorem":"why it holds","subjects":["cpu"],"run":{"argv":["/bin/sh","-c",")" +
         quoted + R"("]}})";
}

gates::LawEvidence green_law() {
  gates::LawEvidence law;
  law.law = "law_a";
  law.subject = "cpu/avx2";
  law.verdict = gates::Verdict::green;
  law.elements = 10;
  law.population = {{"ties", 4}, {"normals", 6}};
  law.floors = {{"ties", 4}};
  law.separates = {"store/kv_swap"};
  law.bound = "half an ulp";
  law.margin = 8.0;
  law.slack = 2.0;
  law.worst = gates::WorstElement{"element 3", "x=1.5", "0x39", "0x38", 0.25, 0.5};
  law.reproduce = "gates run it --seed 1";
  return law;
}

gates::LawEvidence red_law() {
  auto law = green_law();
  law.verdict = gates::Verdict::red;
  law.failures = 3;
  law.worst->error = 2.0;
  return law;
}

}  // namespace redproof::tests
