#pragma once
#include <vector>

#include "engine/attention/attention.h"
#include "tests/engine/kv/layer_fixture.h"

namespace redproof::engine::fixture {

// Sequences over one layer. Blocks are dealt at random; every slot that no sequence owns holds NaN.
class AttentionCase {
 public:
  AttentionCase(const LayerShape& shape, std::int32_t q_heads, std::vector<std::int64_t> lengths, std::uint64_t seed);

  // Queries of the last `rows` positions of each sequence, in one call.
  AttentionCall call_of_last(std::int64_t rows);
  // Queries of positions [first, first + rows) of one sequence; out and lse go to those rows of the whole.
  AttentionCall call_of_chunk(std::size_t sequence, std::int64_t first, std::int64_t rows);

  std::vector<float> out;  // [all positions, q_heads, head_dim]
  std::vector<float> lse;  // [all positions, q_heads]
  LayerMemory memory;

  struct Owner {
    std::int64_t first_row;  // of its position 0, in q, out and lse
    std::int64_t length;
    std::vector<std::int32_t> table;
  };
  std::vector<Owner> owners;
  std::vector<float> q;  // [all positions, q_heads, head_dim]
  std::int32_t q_heads;

 private:
  AttentionCall call(std::vector<AttentionSequence> rows);

  std::vector<AttentionSequence> sequences_;
};

inline constexpr float softmax_scale = 0.21F;

// The value that a side holds at a position, unscaled.
double held(const KvPages& pages, const AttentionCase::Owner& owner, std::int64_t position, std::int64_t head, std::int64_t lane);

// Attention of one query head at one position in double precision, with a bound on how far float32 may stray from it.
struct RowTruth {
  std::vector<double> out;        // [head_dim]
  std::vector<double> out_bound;  // [head_dim]
  double lse;
  double lse_bound;
};
RowTruth truth_of(const AttentionCase& attention, const AttentionCase::Owner& owner, std::int64_t position, std::int32_t q_head);

}  // namespace redproof::engine::fixture
