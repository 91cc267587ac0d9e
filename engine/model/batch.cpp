#include "engine/model/batch.h"

#include <fmt/core.h>

#include "engine/kv/slots.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

void check(const SequenceChunk& chunk, std::int64_t vocab_size, std::int32_t block_tokens) {
  if (chunk.tokens.empty()) throw Refusal("batch: a chunk without tokens");
  if (chunk.first_position < 0) throw Refusal(fmt::format("batch: position {} is negative", chunk.first_position));
  const auto room = static_cast<std::int64_t>(chunk.block_table.size()) * block_tokens;
  const auto end = chunk.first_position + static_cast<std::int64_t>(chunk.tokens.size());
  if (end > room) throw Refusal(fmt::format("batch: {} positions, the block table has room for {}", end, room));
  for (const std::int32_t token : chunk.tokens) {
    if (token < 0 || token >= vocab_size) throw Refusal(fmt::format("batch: token {} is not in the vocabulary of {}", token, vocab_size));
  }
}

}  // namespace

Batch make_batch(std::span<const SequenceChunk> chunks, std::int64_t vocab_size, std::int32_t block_tokens) {
  Batch batch;
  for (const SequenceChunk& chunk : chunks) {
    check(chunk, vocab_size, block_tokens);
    const auto count = static_cast<std::int64_t>(chunk.tokens.size());
    batch.sequences.push_back({batch.rows(), count, chunk.first_position, chunk.block_table});
    batch.tokens.insert(batch.tokens.end(), chunk.tokens.begin(), chunk.tokens.end());
    for (std::int64_t position = chunk.first_position; position < chunk.first_position + count; ++position) {
      batch.positions.push_back(position);
      batch.slots.push_back(slot_of(chunk.block_table, position, block_tokens));
    }
  }
  return batch;
}

}  // namespace redproof::engine
