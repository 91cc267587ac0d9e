// Every new token is the lowest id of its own logits' largest, ties included: row 2i + 1 of the head is row 2i, so every logit has a twin.
// A logit that is not a number is refused, one among numbers by its token's id; tokens do not depend on whether logits are kept.
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"
#include "properties/same_logits.h"

namespace redproof::properties {
namespace {

constexpr std::int64_t new_tokens = 7;

void check_number(const std::string& where, const std::string& inputs, std::int64_t observed, std::int64_t truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, std::to_string(observed), std::to_string(truth)});
}

void check_generation(const engine::Generation& kept, const engine::Generation& bare, std::int64_t vocab, const std::string& inputs,
                      Tally& tally) {
  check_number("new tokens", inputs, std::ssize(kept.tokens), new_tokens, tally);
  check_number("steps of logits", inputs, std::ssize(kept.logits), new_tokens, tally);
  check_number("steps of logits that were not asked for", inputs, std::ssize(bare.logits), 0, tally);
  for (std::size_t step = 0; step < kept.logits.size(); ++step) {
    std::string const where = "token " + std::to_string(step);
    auto const& logits = kept.logits[step];
    check_number("logits of " + where, inputs, std::ssize(logits), vocab, tally);
    std::int32_t const truth = lowest_argmax(logits);
    auto const twin = static_cast<std::size_t>(truth) + 1;
    tally.count(twin < logits.size() && logits[twin] == logits[twin - 1] ? "tied tokens" : "tokens without a tie");
    check_number(where, inputs, kept.tokens.at(step), truth, tally);
    check_number(where + ", logits not kept", inputs, bare.tokens.at(step), truth, tally);
  }
}

void check_greedy(const std::string& flag, std::uint64_t seed, Tally& tally) {
  CheckpointOptions options;
  options.twin_head_rows = true;
  CheckpointDir const dir(options);
  auto engine = engine::Engine::load(engine_options(dir.path(), flag));
  auto const prompts = test_prompts(options.vocab, seed);
  auto const kept = engine.generate(prompts, new_tokens, true, true);
  auto const bare = engine.generate(prompts, new_tokens, false, true);
  check_number("generations", flag, std::ssize(kept), std::ssize(prompts), tally);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    check_generation(kept[i], bare.at(i), options.vocab, flag + ", prompt " + std::to_string(i), tally);
  }
}

void check_nan(const std::vector<std::int32_t>& prompt, std::int32_t nan_token, const CheckpointDir& dir, Tally& tally) {
  auto engine = engine::Engine::load(engine_options(dir.path(), "bfloat16"));
  auto const prompts = std::vector<std::vector<std::int32_t>>{{1, 2, 3}, prompt};
  std::string const message = refusal_of(engine, prompts, 1);
  tally.count("logits that are not numbers");
  if (tally.equal(message.find("not a number") != std::string::npos && message.find("prompt 1") != std::string::npos)) {
    tally.witness({"a prompt of " + std::to_string(prompt.size()) + " tokens", "token " + std::to_string(nan_token) + " embeds as NaN",
                   message.empty() ? "generated" : message, "a refusal that says prompt 1, not a number"});
  }
}

void check_one_nan(std::int32_t token, Tally& tally) {
  CheckpointOptions options;
  options.nan_logit = token;
  CheckpointDir const dir(options);
  auto engine = engine::Engine::load(engine_options(dir.path(), "bfloat16"));
  std::string const message = refusal_of(engine, {{1, 2, 3}}, 1);
  std::string const truth = "the logit of token " + std::to_string(token) + " is not a number";
  tally.count("one NaN among numbers");
  if (tally.equal(message.find(truth) != std::string::npos)) {
    tally.witness(
        {"a head row of NaN", "token " + std::to_string(token), message.empty() ? "generated" : message, "a refusal that says " + truth});
  }
}

}  // namespace

LawVerdict token_is_greedy() {
  Law law{"token_is_greedy", "cpu", "exact: the lowest argmax"};
  law.floors = {{"tied tokens", 60}, {"logits that are not numbers", 2}, {"one NaN among numbers", 4}};
  law.separates = {"serve/highest_of_a_tie", "serve/nan_logits_taken", "serve/nan_logit_of_token_0"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    auto const seed = draw.bits("prompts");
    check_greedy("bfloat16", seed, tally);
    check_greedy("fp8", seed, tally);
    CheckpointOptions options;
    options.nan_token = 66;
    CheckpointDir const dir(options);
    check_nan({66}, 66, dir, tally);
    check_nan({5, 66, 9, 4}, 66, dir, tally);
    for (std::int32_t const token : {0, 1, 33, 66}) check_one_nan(token, tally);
  });
}

}  // namespace redproof::properties
