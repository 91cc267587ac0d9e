#include "gates/runner/evidence.h"

#include <sys/stat.h>

#include <cmath>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

std::string whole() { return replaced(green_evidence("g"), "$REDPROOF_NONCE", "n0nce"); }

EvidenceReading reading_of(const std::string& text) {
  Folder const folder;
  write(folder / "evidence.json", text);
  return read_evidence(folder / "evidence.json", "n0nce", "g");
}

// Why the whole evidence with one thing replaced is not believed.
std::string broken(const std::string& from, const std::string& to) {
  auto const reading = reading_of(replaced(whole(), from, to));
  CHECK(reading.evidence.has_value() == reading.broken.empty());
  CHECK_FALSE(reading.absent);
  return reading.broken;
}

}  // namespace

TEST_CASE("whole evidence is read into every field", "[evidence]") {
  auto const reading = reading_of(whole());
  CHECK(reading.broken.empty());
  REQUIRE(reading.evidence.has_value());
  auto const& evidence = *reading.evidence;
  CHECK(evidence.gate == "g");
  CHECK(evidence.program == "fake");
  CHECK(evidence.seed == 1);
  CHECK(evidence.elements() == 10);
  CHECK_FALSE(evidence.mutant.has_value());
  CHECK(evidence.find("law_a", "cpu/scalar") == nullptr);
  REQUIRE(evidence.find("law_a", "cpu/avx2") != nullptr);
  auto const& law = *evidence.find("law_a", "cpu/avx2");
  CHECK(law.verdict == Verdict::green);
  CHECK(law.population == Counts{{"ties", 4}, {"normals", 6}});
  CHECK(law.floors == Counts{{"ties", 4}});
  CHECK(law.separates == std::vector<std::string>{"store/kv_swap"});
  CHECK(law.bound == "half an ulp");
  CHECK(law.margin == 8.0);
  CHECK(law.slack == 2.0);
  REQUIRE(law.worst.has_value());
  CHECK(law.worst->observed == "0x39");
  CHECK(law.worst->error == 0.25);
  CHECK(law.reproduce == "gates run it --seed 1");
}

TEST_CASE("no file is no evidence, and says so", "[evidence]") {
  Folder const folder;
  auto const reading = read_evidence(folder / "evidence.json", "n0nce", "g");
  CHECK(reading.absent);
  CHECK_FALSE(reading.evidence.has_value());
  CHECK(reading.broken == "left no evidence");
}

TEST_CASE("evidence of another run, another gate or another schema is not believed", "[evidence]") {
  CHECK(broken("n0nce", "older") == "evidence: nonce: is \"older\", not \"n0nce\"");
  CHECK(broken(R"("gate":"g")", R"("gate":"h")") == "evidence: gate: is \"h\", not \"g\"");
  CHECK(broken("redproof.evidence.1", "redproof.evidence.2") ==
        "evidence: schema: is \"redproof.evidence.2\", not \"redproof.evidence.1\"");
}

TEST_CASE("evidence begins with its nonce and ends with its end", "[evidence]") {
  CHECK(broken(R"({"nonce":"n0nce",)", "{") == "evidence: (root): does not begin with \"nonce\"");
  CHECK(broken(R"({"nonce":"n0nce","schema":"redproof.evidence.1",)", R"({"schema":"redproof.evidence.1","nonce":"n0nce",)") ==
        "evidence: (root): does not begin with \"nonce\"");
  CHECK(broken(R"(,"end":{"laws":1,"elements":10})", "") == "evidence: (root): does not end with \"end\"");
  CHECK(broken(R"("mutant":null,"end":{"laws":1,"elements":10})", R"("end":{"laws":1,"elements":10},"mutant":null)") ==
        "evidence: (root): does not end with \"end\"");
  CHECK(broken(R"("elements":10}})", R"("elements":10})").starts_with("evidence: no valid JSON"));
  CHECK(reading_of("").broken == "evidence: no valid JSON at byte 1");
  CHECK(reading_of("{}").broken == "evidence: (root): does not begin with \"nonce\"");
  CHECK(reading_of("[]").broken == "evidence: (root): must be an object");
  CHECK(reading_of(whole() + whole()).broken.starts_with("evidence: no valid JSON"));
}

TEST_CASE("an end that counts otherwise is not believed", "[evidence]") {
  CHECK(broken(R"("end":{"laws":1,)", R"("end":{"laws":2,)") == "evidence: end.laws: is not 1");
  CHECK(broken(R"("laws":1,"elements":10})", R"("laws":1,"elements":11})") == "evidence: end.elements: is not 10");
  CHECK(broken(R"({"laws":1,"elements":10})", R"({"laws":1})") == "evidence: end: \"elements\" is missing");
}

TEST_CASE("a key that is there twice, or that nobody knows, is not believed", "[evidence]") {
  CHECK(broken(R"("verdict":"green",)", R"("verdict":"red","verdict":"green",)") == "evidence: the key \"verdict\" is there twice");
  CHECK(broken(R"("mutant":null)", R"("mutant":null,"nonce":"n0nce")") == "evidence: the key \"nonce\" is there twice");
  CHECK(broken(R"("mutant":null)", R"("mutant":null,"extra":1)") == "evidence: (root): unknown key \"extra\"");
  CHECK(broken(R"("reason":"")", R"("reason":"","extra":1)") == "evidence: laws[0]: unknown key \"extra\"");
}

TEST_CASE("a law that reports twice for one subject is not believed, for two it is", "[evidence]") {
  auto const text = whole();
  auto const begin = text.find("{\"law\":");
  auto const law = text.substr(begin, text.find("],\n\"mutant\"") - begin);
  auto const twice = [&](const std::string& second) {
    return replaced(replaced(text, "],\n\"mutant\"", "," + second + "],\n\"mutant\""), R"({"laws":1,"elements":10})",
                    R"({"laws":2,"elements":20})");
  };
  CHECK(reading_of(twice(law)).broken == "evidence: laws[1]: law_a for cpu/avx2 is reported twice");
  auto const other = reading_of(twice(replaced(law, "cpu/avx2", "cpu/scalar")));
  REQUIRE(other.evidence.has_value());
  CHECK(other.evidence->elements() == 20);
}

TEST_CASE("a gate reports at most 1024 laws", "[evidence]") {
  auto const text = whole();
  auto const begin = text.find("{\"law\":");
  auto const law = text.substr(begin, text.find("],\n\"mutant\"") - begin);
  auto const with_laws = [&](std::size_t count) {
    std::string more;
    for (std::size_t i = 1; i < count; ++i) more += "," + replaced(law, "law_a", "law_" + std::to_string(i));
    auto const all = replaced(text, "],\n\"mutant\"", more + "],\n\"mutant\"");
    return reading_of(replaced(all, R"({"laws":1,"elements":10})",
                               R"({"laws":)" + std::to_string(count) + R"(,"elements":)" + std::to_string(10 * count) + "}"));
  };
  CHECK(with_laws(1024).broken.empty());
  CHECK(with_laws(1025).broken == "evidence: laws: more than 1024 entries");
}

TEST_CASE("evidence over its size or depth is not believed", "[evidence]") {
  auto const padded = [](std::size_t bytes) {
    auto text = whole();
    return text + std::string(bytes - text.size(), ' ');
  };
  CHECK(reading_of(padded(16 << 20)).evidence.has_value());
  CHECK(reading_of(padded((16 << 20) + 1)).broken == "evidence: larger than 16777216 bytes");
  CHECK(reading_of(padded(17 << 20)).broken == "evidence: larger than 16777216 bytes");
  CHECK(broken("\"mutant\":null", "\"mutant\":" + std::string(100, '[') + std::string(100, ']')) == "evidence: deeper than 64 levels");
}

TEST_CASE("numbers without a size come as words, never as numbers that overflow", "[evidence]") {
  auto const reading =
      reading_of(replaced(replaced(whole(), "\"error\":0.25", "\"error\":\"nan\""), "\"margin\":8.0", "\"margin\":\"inf\""));
  REQUIRE(reading.evidence.has_value());
  CHECK(std::isnan(reading.evidence->laws[0].worst->error));
  CHECK(reading.evidence->laws[0].margin == HUGE_VAL);
  CHECK(broken("\"error\":0.25", "\"error\":NaN").starts_with("evidence: no valid JSON"));
  CHECK(broken("\"error\":0.25", "\"error\":1e999").starts_with("evidence: a number out of range"));
  CHECK(broken("\"error\":0.25", "\"error\":null") == "evidence: laws[0].worst.error: must be a number");
  CHECK(broken("\"error\":0.25", "\"error\":\"0.25\"") == "evidence: laws[0].worst.error: must be a number, \"nan\", \"inf\" or \"-inf\"");
}

TEST_CASE("every field of the wrong kind is named", "[evidence]") {
  CHECK(broken("\"seed\":1", "\"seed\":-1") == "evidence: seed: must be an integer that is not negative");
  CHECK(broken("\"program\":\"fake\"", "\"program\":\"\"") == "evidence: program: must not be empty");
  CHECK(broken("\"verdict\":\"green\"", "\"verdict\":\"pass\"") == "evidence: laws[0].verdict: must be green, red, vacuous or skipped");
  CHECK(broken("\"verdict\":\"green\"", "\"verdict\":\"attested\"") == "evidence: laws[0].verdict: must be green, red, vacuous or skipped");
  CHECK(broken("\"subject\":\"cpu/avx2\"", "\"subject\":\"\"") == "evidence: laws[0].subject: must not be empty");
  CHECK(broken("\"elements\":10,", "\"elements\":1.5,") == "evidence: laws[0].elements: must be an integer that is not negative");
  CHECK(broken("\"elements\":10,", "\"elements\":18446744073709551615,") == "evidence: laws[0].elements: must be at most 9007199254740992");
  CHECK(broken("\"failures\":0", "\"failures\":11") == "evidence: laws[0].failures: must be at most 10");
  CHECK(broken("\"ties\":4,\"normals\"", "\"ties\":\"4\",\"normals\"") ==
        "evidence: laws[0].population.ties: must be an integer that is not negative");
  CHECK(broken("{\"ties\":4}", "[]") == "evidence: laws[0].floors: must be an object");
  CHECK(broken("[\"store/kv_swap\"]", "\"store/kv_swap\"") == "evidence: laws[0].separates: must be a list");
  CHECK(broken("\"slack\":2.0,", "") == "evidence: laws[0]: \"slack\" is missing");
  CHECK(broken("\"truth\":\"0x38\",", "") == "evidence: laws[0].worst: \"truth\" is missing");
  CHECK(broken("\"mutant\":null", "\"mutant\":{\"id\":\"a/b\"}") == "evidence: mutant: \"hits\" is missing");
}

TEST_CASE("the active mutant is read with its hits", "[evidence]") {
  auto const reading = reading_of(replaced(whole(), "\"mutant\":null", "\"mutant\":{\"id\":\"store/kv_swap\",\"hits\":12}"));
  REQUIRE(reading.evidence.has_value());
  REQUIRE(reading.evidence->mutant.has_value());
  CHECK(reading.evidence->mutant->id == "store/kv_swap");
  CHECK(reading.evidence->mutant->hits == 12);
}

TEST_CASE("a link, a pipe or a folder in the evidence's place is not believed and not waited for", "[evidence]") {
  Folder const folder;
  write(folder / "real.json", whole());
  std::filesystem::create_symlink(folder / "real.json", folder / "link.json");
  CHECK_FALSE(read_evidence(folder / "link.json", "n0nce", "g").evidence.has_value());
  std::filesystem::create_symlink(folder / "nowhere", folder / "dangling.json");
  CHECK_FALSE(read_evidence(folder / "dangling.json", "n0nce", "g").absent);
  REQUIRE(mkfifo((folder / "pipe.json").c_str(), 0600) == 0);
  CHECK(read_evidence(folder / "pipe.json", "n0nce", "g").broken == "evidence: no regular file");
  std::filesystem::create_directory(folder / "dir.json");
  CHECK(read_evidence(folder / "dir.json", "n0nce", "g").broken == "evidence: no regular file");
}

TEST_CASE("a gate's margin is its least and its slack its most, over the laws that have one", "[evidence]") {
  Evidence evidence;
  CHECK_FALSE(evidence.least_margin().has_value());
  CHECK_FALSE(evidence.most_slack().has_value());
  evidence.laws = {green_law(), green_law(), green_law()};
  evidence.laws[0].margin.reset();
  evidence.laws[0].slack.reset();
  evidence.laws[1].margin = 3.0;
  evidence.laws[1].slack = 90.0;
  CHECK(evidence.least_margin() == 3.0);
  CHECK(evidence.most_slack() == 90.0);
}
