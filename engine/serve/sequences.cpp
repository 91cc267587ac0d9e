#include "engine/serve/sequences.h"

#include <algorithm>
#include <span>
#include <utility>

namespace redproof::engine {

Sequences::Sequences(BlockPool& pool, std::int32_t block_tokens, const std::vector<std::vector<std::int32_t>>& prompts)
    : pool_(pool), block_tokens_(block_tokens) {
  for (const auto& prompt : prompts) sequences_.push_back({prompt, 0, {}});
}

Sequences::~Sequences() {
  for (const Sequence& sequence : sequences_) {
    for (const std::int32_t block : sequence.block_table) pool_.give(block);
  }
}

SequenceChunk Sequences::next_chunk(std::size_t index, std::int64_t most) {
  Sequence& sequence = sequences_[index];
  const std::int64_t first = sequence.stored_tokens;
  sequence.stored_tokens = std::min(first + most, size(index));
  while (static_cast<std::int64_t>(sequence.block_table.size()) * block_tokens_ < sequence.stored_tokens) {
    sequence.block_table.push_back(pool_.take());
  }
  const auto count = static_cast<std::size_t>(sequence.stored_tokens - first);
  return {std::span(std::as_const(sequence.tokens)).subspan(static_cast<std::size_t>(first), count), first, sequence.block_table};
}

void Sequences::append(std::size_t index, std::int32_t token) { sequences_[index].tokens.push_back(token); }

bool Sequences::is_stored(std::size_t index) const { return sequences_[index].stored_tokens == size(index); }

std::int64_t Sequences::size(std::size_t index) const { return static_cast<std::int64_t>(sequences_[index].tokens.size()); }

}  // namespace redproof::engine
