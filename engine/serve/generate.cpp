#include "engine/serve/generate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "engine/serve/sequences.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

void check_prompt(const GenerateRequest& request, const ModelConfig& config, std::size_t index) {
  const auto& prompt = request.prompts[index];
  if (prompt.empty()) throw Refusal(fmt::format("prompt {}: no tokens", index));
  for (const std::int32_t token : prompt) {
    if (token >= 0 && token < config.vocab_size) continue;
    throw Refusal(fmt::format("prompt {}: token {} is not in the vocabulary of {}", index, token, config.vocab_size));
  }
  const std::int64_t most = config.max_position_embeddings > 0 ? config.max_position_embeddings : std::numeric_limits<std::int32_t>::max();
  const auto size = static_cast<std::int64_t>(prompt.size());
  if (size > most || request.max_tokens > most - size + 1) {
    throw Refusal(fmt::format("prompt {}: {} tokens and --max-tokens {} are more than max_position_embeddings of {}", index, size,
                              request.max_tokens, most));
  }
}

// The last token of a generation is never stored.
void check_pool(const GenerateRequest& request, const GenerateRoom& room) {
  const std::int64_t block_tokens = room.cache.layer(0).spec.block_tokens;
  std::int64_t needed = 0;
  for (const auto& prompt : request.prompts) {
    const std::int64_t positions = static_cast<std::int64_t>(prompt.size()) + request.max_tokens - 1;
    needed += (positions + block_tokens - 1) / block_tokens;
  }
  if (needed <= room.pool.free_blocks()) return;
  throw Refusal(fmt::format("kv cache: the prompts need {} blocks of {} tokens, {} are free: raise --num-blocks or --kv-cache-memory",
                            needed, block_tokens, room.pool.free_blocks()));
}

// The lowest id of the largest logit.
std::int32_t greedy(std::span<const float> logits, std::size_t prompt, std::int64_t position) {
  const auto nan = std::find_if(logits.begin(), logits.end(), [](float x) { return std::isnan(x); });
  if (nan != logits.end()) {
    throw Refusal(fmt::format(
        "prompt {}: position {}: the logit of token {} is not a number: a weight, or what is computed from them, is NaN or infinite",
        prompt, position, nan - logits.begin()));
  }
  return static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

class Run {
 public:
  Run(const GenerateRoom& room, const GenerateRequest& request)
      : room_(room),
        request_(request),
        sequences_(room.pool, room.cache.layer(0).spec.block_tokens, request.prompts),
        generations_(request.prompts.size()) {}

  std::vector<Generation> run() {
    const auto in_prompt = [](const Generation& generation) { return generation.tokens.empty(); };
    const auto live = [this](const Generation& generation) { return !ended(generation); };
    for (auto indices = indices_where(in_prompt); !indices.empty(); indices = indices_where(in_prompt)) forward(indices);
    for (auto indices = indices_where(live); !indices.empty(); indices = indices_where(live)) decode(indices);
    return std::move(generations_);
  }

 private:
  using Indices = std::span<const std::size_t>;

  template <class Holds>
  std::vector<std::size_t> indices_where(const Holds& holds) const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < generations_.size(); ++i) {
      if (holds(generations_[i])) indices.push_back(i);
    }
    return indices;
  }

  bool ended(const Generation& generation) const {
    if (static_cast<std::int64_t>(generation.tokens.size()) >= request_.max_tokens) return true;
    if (request_.ignore_eos || generation.tokens.empty()) return false;
    const auto& ends = room_.model.config().eos_token_ids;
    return std::find(ends.begin(), ends.end(), generation.tokens.back()) != ends.end();
  }

  // One token of every live sequence, chunk_tokens of them a forward pass.
  void decode(Indices live) {
    const auto most = static_cast<std::size_t>(request_.chunk_tokens);
    for (std::size_t first = 0; first < live.size(); first += most) {
      forward(live.subspan(first, std::min(most, live.size() - first)));
    }
  }

  // One forward pass over as many of these sequences, in order, as chunk_tokens allows.
  void forward(Indices indices) {
    std::vector<SequenceChunk> chunks;
    std::int64_t budget = request_.chunk_tokens;
    for (std::size_t i = 0; i < indices.size() && budget > 0; ++i) {
      chunks.push_back(sequences_.next_chunk(indices[i], budget));
      budget -= static_cast<std::int64_t>(chunks.back().tokens.size());
    }
    const std::vector<float> logits = room_.model.forward(chunks, room_.cache, room_.observers);
    const auto vocab = static_cast<std::size_t>(room_.model.config().vocab_size);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (sequences_.is_stored(indices[i])) take_token(indices[i], std::span(logits).subspan(i * vocab, vocab));
    }
  }

  void take_token(std::size_t index, std::span<const float> logits) {
    const std::int32_t token = greedy(logits, index, sequences_.size(index) - 1);
    Generation& generation = generations_[index];
    generation.tokens.push_back(token);
    if (request_.keep_logits) generation.logits.emplace_back(logits.begin(), logits.end());
    sequences_.append(index, token);
  }

  const GenerateRoom& room_;
  const GenerateRequest& request_;
  Sequences sequences_;
  std::vector<Generation> generations_;
};

}  // namespace

void check_request(const GenerateRoom& room, const GenerateRequest& request) {
  if (request.max_tokens < 1) throw Refusal(fmt::format("--max-tokens: {} is not positive", request.max_tokens));
  for (std::size_t i = 0; i < request.prompts.size(); ++i) check_prompt(request, room.model.config(), i);
  check_pool(request, room);
}

std::vector<Generation> generate_greedy(const GenerateRoom& room, const GenerateRequest& request) {
  check_request(room, request);
  return Run(room, request).run();
}

}  // namespace redproof::engine
