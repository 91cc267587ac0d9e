// A generation is the unstopped one, cut after its first end-of-text token: any of those that config.json and generation_config.json
// name, or nowhere under ignore_eos; and after max_tokens. The positions that a prompt and its new tokens take may fill
// max_position_embeddings and not exceed it, the last new token taking none. A request that means nothing is refused.
#include <algorithm>
#include <set>

#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using Prompts = std::vector<std::vector<std::int32_t>>;
using Tokens = std::vector<std::int32_t>;

constexpr std::int64_t new_tokens = 12;

std::string text(const Tokens& tokens) {
  std::string out;
  for (auto const token : tokens) out += (out.empty() ? "" : ",") + std::to_string(token);
  return out;
}

// The end-of-text tokens of a checkpoint, as its documents say them.
struct Ends {
  std::string what;
  std::string config;      // config.json's eos_token_id
  std::string generation;  // generation_config.json's; empty: no such file
  Tokens all;
};

Tokens cut(const Tokens& unstopped, const Tokens& ends) {
  Tokens out;
  for (auto const token : unstopped) {
    out.push_back(token);
    if (std::find(ends.begin(), ends.end(), token) != ends.end()) break;
  }
  return out;
}

CheckpointOptions options_of(const Ends& ends) {
  CheckpointOptions options;
  options.extra_config = "{\"eos_token_id\": " + ends.config + "}";
  if (!ends.generation.empty()) options.generation_config = "{\"eos_token_id\": " + ends.generation + "}";
  return options;
}

void check_tokens(const std::string& where, const std::string& inputs, const Tokens& observed, const Tokens& truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, text(observed), text(truth)});
}

void check_ends(const Ends& ends, const Prompts& prompts, const std::vector<engine::Generation>& unstopped, Tally& tally) {
  CheckpointDir const dir(options_of(ends));
  auto engine = engine::Engine::load(engine_options(dir.path(), "bfloat16"));
  auto const stopped = engine.generate(prompts, new_tokens, false);
  auto const ignored = engine.generate(prompts, new_tokens, false, true);
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    std::string const where = "prompt " + std::to_string(i);
    Tokens const truth = cut(unstopped[i].tokens, ends.all);
    tally.count(truth.size() < unstopped[i].tokens.size() ? "stopped early" : "not stopped");
    check_tokens(where, ends.what, stopped.at(i).tokens, truth, tally);
    tally.count("end ignored");
    check_tokens(where + ", ignore_eos", ends.what, ignored.at(i).tokens, unstopped[i].tokens, tally);
  }
}

// The two tokens that stop most prompts before their last token, and one that the unstopped run never generates.
struct Picks {
  std::int32_t first;
  std::int32_t second;
  std::int32_t never;
};

Picks picks_of(const std::vector<engine::Generation>& unstopped, std::int64_t vocab) {
  std::vector<int> stops(static_cast<std::size_t>(vocab));  // prompts that each token stops early
  std::vector<bool> seen(stops.size());
  for (auto const& generation : unstopped) {
    std::set<std::int32_t> const early(generation.tokens.begin(), generation.tokens.end() - 1);
    for (auto const token : early) ++stops.at(static_cast<std::size_t>(token));
    for (auto const token : generation.tokens) seen.at(static_cast<std::size_t>(token)) = true;
  }
  auto const take_most = [&stops] {
    auto const most = std::max_element(stops.begin(), stops.end());
    *most = 0;
    return static_cast<std::int32_t>(most - stops.begin());
  };
  auto const never = static_cast<std::int32_t>(std::find(seen.begin(), seen.end(), false) - seen.begin());
  std::int32_t const first = take_most();
  return {first, take_most(), never};
}

void check_all_ends(std::uint64_t seed, Tally& tally) {
  auto const prompts = test_prompts(CheckpointOptions{}.vocab, seed);
  CheckpointDir const dir(CheckpointOptions{});
  auto free = engine::Engine::load(engine_options(dir.path(), "bfloat16"));
  auto const unstopped = free.generate(prompts, new_tokens, false, true);
  auto const [first, second, never] = picks_of(unstopped, CheckpointOptions{}.vocab);
  std::string const a = std::to_string(first), b = std::to_string(second), n = std::to_string(never);
  for (auto const& ends : std::vector<Ends>{
           {"one id", a, "", {first}},
           {"an id that is not generated", n, "", {never}},
           {"a list whose last id is generated", "[" + n + ", " + a + "]", "", {never, first}},
           {"a list of two that are generated", "[" + b + ", " + a + "]", "", {first, second}},
           {"generation_config.json alone", n, a, {never, first}},
           {"both documents", a, "[" + n + ", " + b + "]", {first, second, never}},
       }) {
    check_ends(ends, prompts, unstopped, tally);
  }
}

void check_refused(engine::Engine& engine, const Prompts& prompts, std::int64_t max_tokens, const std::string& part,
                   const std::string& what, Tally& tally) {
  std::string const message = refusal_of(engine, prompts, max_tokens);
  tally.count(part.empty() ? "served" : "refused");
  bool const right = part.empty() ? message.empty() : message.find(part) != std::string::npos;
  if (tally.equal(right))
    tally.witness({what, "", message.empty() ? "served" : message, part.empty() ? "served" : "a refusal that says " + part});
}

void check_limits(Tally& tally) {
  CheckpointOptions options;
  options.max_positions = 40;
  CheckpointDir const dir(options);
  auto engine = engine::Engine::load(engine_options(dir.path(), "bfloat16"));
  const char* const limit = "max_position_embeddings";
  for (std::int64_t const length : {1, 33, 40}) {
    Prompts const prompts = {{7}, Tokens(static_cast<std::size_t>(length), 7)};
    std::string const what = "a prompt of " + std::to_string(length) + " tokens of 40 positions";
    check_refused(engine, prompts, 41 - length, "", what + ", filled", tally);
    check_refused(engine, prompts, 42 - length, limit, what + ", one more", tally);
  }
  check_refused(engine, {Tokens(41, 7)}, 1, limit, "a prompt of 41 tokens of 40 positions", tally);
  check_refused(engine, {{7}, {}}, 1, "prompt 1", "an empty prompt", tally);
  check_refused(engine, {{7}, {7, -1}}, 1, "prompt 1", "a token below 0", tally);
  check_refused(engine, {{7}, {static_cast<std::int32_t>(options.vocab)}}, 1, "prompt 1", "a token past the vocabulary", tally);
  check_refused(engine, {{static_cast<std::int32_t>(options.vocab - 1)}}, 1, "", "the vocabulary's last token", tally);
  check_refused(engine, {{7}}, 0, "--max-tokens", "no new token", tally);
}

}  // namespace

LawVerdict generation_stops_where_told() {
  Law law{"generation_stops_where_told", "cpu", "exact: the unstopped tokens, cut"};
  law.floors = {{"stopped early", 5}, {"not stopped", 6}, {"end ignored", 36}, {"served", 4}, {"refused", 8}};
  law.separates = {"serve/first_eos_alone", "serve/positions_off_by_one", "serve/ignore_eos_ignored", "serve/generation_config_unread"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    check_all_ends(draw.bits("prompts"), tally);
    check_limits(tally);
  });
}

}  // namespace redproof::properties
