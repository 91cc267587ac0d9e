#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/attention/attention.h"
#include "engine/model/model.h"

namespace redproof::engine {

// The chunks of one forward pass laid out as rows, one a token.
struct Batch {
  std::vector<std::int32_t> tokens;          // [rows]
  std::vector<std::int64_t> positions;       // [rows], within its sequence
  std::vector<std::int64_t> slots;           // [rows], in the cache
  std::vector<AttentionSequence> sequences;  // [chunks]

  std::int64_t rows() const { return static_cast<std::int64_t>(tokens.size()); }
};

// Refusal: an empty chunk, a token out of the vocabulary, a position before 0 or past the block table.
Batch make_batch(std::span<const SequenceChunk> chunks, std::int64_t vocab_size, std::int32_t block_tokens);

}  // namespace redproof::engine
