#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "engine/cli/bandwidth.h"
#include "engine/cli/commands.h"
#include "engine/cli/report.h"
#include "engine/kv/address.h"
#include "engine/serve/announcements.h"
#include "engine/types/error.h"

namespace redproof::engine::cli {
namespace {

constexpr int rounds = 3;  // the best of each figure is kept, as other programs disturb every one of them

template <class Body>
double seconds(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<std::int32_t> some_tokens(std::int64_t count, std::int64_t vocab) {
  std::vector<std::int32_t> tokens;
  for (std::int64_t i = 0; i < count; ++i) tokens.push_back(static_cast<std::int32_t>(i * 7919 % vocab));
  return tokens;
}

// Every one of them is stored, the last one too.
void check_positions(const Arguments& arguments, const ModelConfig& config) {
  const std::int64_t most = config.max_position_embeddings;
  if (most <= 0 || arguments.prompt_tokens + arguments.max_tokens <= most) return;
  throw Refusal(fmt::format("bench: --prompt-tokens {} and --max-tokens {} are more than max_position_embeddings of {}",
                            arguments.prompt_tokens, arguments.max_tokens, most));
}

std::vector<std::int32_t> first_blocks(const EnginePlan& plan, std::int64_t positions) {
  const std::int64_t block_tokens = plan.specs.front().block_tokens;
  const std::int64_t needed = (positions + block_tokens - 1) / block_tokens;
  if (needed > plan.pool->num_blocks) {
    throw Refusal(fmt::format("bench: {} tokens need {} blocks of {}, the pool has {}: raise --num-blocks or --kv-cache-memory", positions,
                              needed, block_tokens, plan.pool->num_blocks));
  }
  std::vector<std::int32_t> table(static_cast<std::size_t>(needed));
  std::iota(table.begin(), table.end(), 0);
  return table;
}

std::int64_t kv_bytes(const EnginePlan& plan, std::int64_t positions) {
  std::int64_t bytes = 0;
  for (const KvLayerSpec& spec : plan.specs) {
    const std::int64_t seen = spec.window_tokens > 0 ? std::min(positions, spec.window_tokens) : positions;
    bytes += seen * spec.kv_heads * spec.head_dim * 2 * element_bytes(spec.storage);
  }
  return bytes;
}

struct Timing {
  double prefill_s = 1e9;
  double decode_s = 1e9;
};

Timing one_round(Engine& engine, const std::vector<std::int32_t>& tokens, std::int64_t prompt, std::int64_t chunk,
                 const std::vector<std::int32_t>& table) {
  const auto forward = [&](std::int64_t begin, std::int64_t count) {
    const SequenceChunk piece{std::span(tokens).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)), begin, table};
    engine.model().forward(std::span(&piece, 1), engine.cache(), {});
  };
  Timing timing;
  timing.prefill_s = seconds([&] {
    for (std::int64_t begin = 0; begin < prompt; begin += chunk) forward(begin, std::min(chunk, prompt - begin));
  });
  timing.decode_s = seconds([&] {
    for (auto position = prompt; position < static_cast<std::int64_t>(tokens.size()); ++position) forward(position, 1);
  });
  return timing;
}

}  // namespace

std::string bench(const Arguments& arguments) {
  std::vector<std::string> lines;
  Engine engine = Engine::load(keeping(arguments.engine, lines));
  const EnginePlan& plan = engine.plan();
  const std::int64_t prompt = arguments.prompt_tokens;
  const std::int64_t steps = arguments.max_tokens;
  check_positions(arguments, plan.config);
  const auto tokens = some_tokens(prompt + steps, plan.config.vocab_size);
  const auto table = first_blocks(plan, prompt + steps);
  announce(arguments.engine, lines);

  BenchResult result{};
  Timing best;
  for (int round = 0; round < rounds; ++round) {
    result.read_gb_per_s = std::max(result.read_gb_per_s, read_gb_per_s());
    const Timing timing = one_round(engine, tokens, prompt, arguments.engine.chunk_tokens, table);
    best.prefill_s = std::min(best.prefill_s, timing.prefill_s);
    best.decode_s = std::min(best.decode_s, timing.decode_s);
  }
  result.prompt_tokens = prompt;
  result.decode_tokens = steps;
  result.prefill_tokens_per_s = static_cast<double>(prompt) / best.prefill_s;
  result.decode_tokens_per_s = static_cast<double>(steps) / best.decode_s;
  result.bytes_per_token = engine.model().weight_bytes_per_token() + kv_bytes(plan, prompt + steps / 2);
  result.decode_gb_per_s = static_cast<double>(result.bytes_per_token) * result.decode_tokens_per_s / 1e9;
  result.share = result.decode_gb_per_s / result.read_gb_per_s;
  return arguments.json ? bench_json(result) : bench_text(result);
}

}  // namespace redproof::engine::cli
