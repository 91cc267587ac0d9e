#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/kv/cache.h"
#include "engine/model/model.h"

namespace redproof::engine {

// The sequences of one call: their tokens, how many of them are in the cache, and the blocks that hold them. Blocks are taken as a sequence
// grows and given back when the call ends, however it ends.
class Sequences {
 public:
  Sequences(BlockPool& pool, std::int32_t block_tokens, const std::vector<std::vector<std::int32_t>>& prompts);
  ~Sequences();
  Sequences(const Sequences&) = delete;
  Sequences& operator=(const Sequences&) = delete;

  // The next tokens that are not in the cache yet, at most `most`: counts them as stored and takes the blocks they need. The chunk's spans
  // live until this sequence's next chunk or append.
  SequenceChunk next_chunk(std::size_t index, std::int64_t most);
  void append(std::size_t index, std::int32_t token);
  bool is_stored(std::size_t index) const;  // all its tokens are
  std::int64_t size(std::size_t index) const;

 private:
  struct Sequence {
    std::vector<std::int32_t> tokens;
    std::int64_t stored_tokens;
    std::vector<std::int32_t> block_table;
  };

  BlockPool& pool_;
  std::int32_t block_tokens_;
  std::vector<Sequence> sequences_;
};

}  // namespace redproof::engine
