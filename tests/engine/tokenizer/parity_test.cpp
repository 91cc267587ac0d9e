// The Python package `tokenizers` is the truth: a script runs it over a corpus, and every id must agree.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>
#include <utf8proc.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "engine/tokenizer/pattern.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/utf8.h"
#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"
#include "tests/engine/tokenizer/parity_truth.h"
#include "tests/skip.h"

namespace redproof::tests {
namespace {

namespace text = engine::text;
const std::filesystem::path root = REDPROOF_ROOT;
const std::filesystem::path smollm2 = root / "models/smollm2-135m-instruct/tokenizer.json";  // there after scripts/get-model

struct Output {
  int status;
  std::string text;
};

Output run(const std::string& command) {
  Output output{-1, ""};
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer{};
  while (std::size_t const bytes = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.text.append(buffer.data(), bytes);
  output.status = ::pclose(pipe);
  return output;
}

std::string shell_word(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

std::string last_line(std::string output) {
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return output.substr(output.rfind('\n') + 1);
}

std::string pcre2_unicode_version() {
  std::array<char, 64> version{};
  pcre2_config(PCRE2_CONFIG_UNICODE_VERSION, version.data());
  return version.data();
}

bool assigned_by_utf8proc(char32_t point) { return utf8proc_category(static_cast<utf8proc_int32_t>(point)) != UTF8PROC_CATEGORY_CN; }

// The code points that PCRE2 and utf8proc both assign, as lines "first last" in hexadecimal.
std::string assigned_ranges() {
  std::string all;
  for (char32_t point = 0; point < 0x110000; ++point) {
    if ((point < 0xD800 || point > 0xDFFF) && assigned_by_utf8proc(point)) text::append_utf8(all, point);
  }
  std::string lines;
  for (text::Range const match : text::Pattern(R"(\P{Cn})", text::PatternSyntax::pcre2).matches(all)) {
    lines += fmt::format("{0:x} {0:x}\n", static_cast<std::uint32_t>(text::code_point_at(all, match.begin).value));
  }
  return lines;
}

// What differs in one case; empty: nothing.
std::string difference(const engine::Tokenizer& tokenizer, const ParityCase& truth) {
  std::vector<std::int32_t> const ids = tokenizer.encode(truth.text, false);
  if (ids != truth.ids) return fmt::format("ids {} where the package gives {}", fmt::join(ids, " "), fmt::join(truth.ids, " "));
  if (!truth.decodes) return "";
  if (tokenizer.encode(truth.text, true) != truth.ids_with_special) return "ids with special tokens";
  std::vector<std::int32_t> const half(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2));
  if (tokenizer.decode(half, true) != truth.half) return "the first half, decoded";
  if (tokenizer.decode(truth.ids_with_special, false) != truth.decoded) return "decoded text";
  if (tokenizer.decode(truth.ids_with_special, true) != truth.decoded_without_special) return "decoded text without special tokens";
  return "";
}

void compare(const ParityTokenizer& truth) {
  auto const tokenizer = engine::Tokenizer::load(truth.file);
  CHECK(tokenizer.vocab_size() == truth.vocab_size);
  std::size_t differ = 0;
  std::string first;
  for (ParityCase const& one : truth.cases) {
    std::string const what = difference(tokenizer, one);
    if (what.empty()) continue;
    if (differ++ == 0) first = fmt::format("\"{}\": {}", text::printable(one.text), what);
  }
  INFO(truth.name << ": " << differ << " of " << truth.cases.size() << " texts differ, first " << first.substr(0, 2000));
  CHECK(differ == 0);
}

bool offline() {
  char const* const value = std::getenv("REDPROOF_OFFLINE");
  return value != nullptr && std::string(value) == "1";
}

// A test case must assert something to count, so this one still asserts what needs no package: that the corpus is there to be compared.
void report_skipped() {
  skip_case("REDPROOF_OFFLINE is set: the Python package was not asked and no id was compared");
  CHECK(std::filesystem::file_size(root / "tests/engine/tokenizer/corpus.jsonl") > 4096);
}

}  // namespace

TEST_CASE("ids and decoded text equal those of the Python package over code, scripts, emoji, white space and every code point",
          "[tokenizer][parity]") {
  if (offline()) return report_skipped();
  TemporaryFolder const folder;
  folder.write("assigned.txt", assigned_ranges());
  std::filesystem::path const here = root / "tests/engine/tokenizer";
  Output const python =
      run(fmt::format("{} {}", shell_word(root / "scripts/python-environment"), shell_word(here / "parity-requirements.txt")));
  INFO("set REDPROOF_OFFLINE=1 to skip where PyPI is out of reach; " << python.text);
  REQUIRE(python.status == 0);
  std::string const model = std::filesystem::exists(smollm2) ? shell_word(smollm2) : "";
  Output const script = run(
      fmt::format("{} -B {} {} {}", shell_word(last_line(python.text)), shell_word(here / "parity.py"), shell_word(folder.path()), model));
  INFO(script.text);
  REQUIRE(script.status == 0);
  std::printf("PCRE2 with Unicode %s, utf8proc with Unicode %s, Python package %s", pcre2_unicode_version().c_str(),
              utf8proc_unicode_version(), script.text.c_str());
  std::vector<ParityTokenizer> const tokenizers = read_parity_truth(folder.path() / "truth.json");
  REQUIRE(tokenizers.size() >= 27);
  for (ParityTokenizer const& truth : tokenizers) compare(truth);
}

}  // namespace redproof::tests
