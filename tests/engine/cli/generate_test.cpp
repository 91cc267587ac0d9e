// What generate prints: on a terminal, into a file and in JSON.
#include "tests/catch.h"
#include "tests/engine/cli/program.h"
#include "tests/engine/model/generated.h"
#include "tests/skip.h"

using namespace redproof::tests;
using redproof::engine::DType;
using redproof::properties::CheckpointOptions;

namespace {

// Continues every text with tabs, line breaks, letters a and escapes (which a terminal would obey): by the sign of two lanes.
CheckpointOptions control_characters() {
  constexpr std::int64_t vocab = redproof::properties::tokenizer_vocab;
  CheckpointOptions options;
  options.tokenizer = true;
  options.vocab = vocab;
  options.tied = true;
  std::vector<float> head(vocab * 48);
  const auto answer = [&](char token, std::size_t lane, float sign) { head[static_cast<std::size_t>(token) * 48 + lane] = sign; };
  answer('\t', 0, 1);
  answer('\x1b', 0, -1);
  answer('\n', 1, 1);
  answer('a', 1, -1);
  options.extra_tensors = {{"lm_head.weight", {vocab, 48}, head, DType::bf16}};
  options.extra_config = R"({"tie_word_embeddings": false})";
  return options;
}

std::string with_escapes_shown(const std::string& text) {
  std::string shown;
  for (const char c : text) shown += c == '\x1b' ? std::string("\\x1b") : std::string(1, c);
  return shown;
}

}  // namespace

TEST_CASE("a terminal is sent tabs and line breaks as they are and other control characters escaped, a file every byte", "[cli]") {
  const Generated model(control_characters());
  std::vector<std::string> run{"generate", "--model", model.path().string(), "--max-tokens", "20"};
  for (const char* const prompt : {"the", "end", "of", "a", "line"}) run.insert(run.end(), {"--prompt", prompt});
  const auto to_file = run_engine(run);
  REQUIRE(to_file.exit_code == 0);
  for (const char c : {'\t', '\x1b', '\n', 'a'}) {
    CAPTURE(static_cast<int>(c));
    REQUIRE(to_file.out.find(c) != std::string::npos);
  }
  if (!has_terminals()) return skip_case("no pseudo-terminals here");
  const auto to_terminal = run_engine_on_terminal(run);
  CHECK(to_terminal.exit_code == 0);
  CHECK(to_terminal.out == with_escapes_shown(to_file.out));
}

TEST_CASE("in JSON what a run has no text for is null: a prompt of token ids, and what continues it", "[cli]") {
  const Generated model({});
  const auto json = run_engine(
      {"generate", "--model", model.path().string(), "--tokens", "1,2", "--max-tokens", "2", "--ignore-eos", "--format", "json"});
  CHECK(json.exit_code == 0);
  CHECK(json.out.find("\"prompt\": null,") != std::string::npos);
  CHECK(json.out.find("\"text\": null\n") != std::string::npos);
}
