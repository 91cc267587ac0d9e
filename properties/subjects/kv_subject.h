#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/attention/attention.h"
#include "engine/kv/store.h"
#include "engine/types/kv.h"

namespace redproof::properties {

// An implementation of store and attention over pages, under test.
struct KvSubject {
  std::string name;  // "cpu/scalar"
  std::function<void(const engine::KvSource&, const engine::KvSource&, std::span<const std::int64_t>, engine::KvLayer&)> store;
  std::function<void(const engine::AttentionCall&, const engine::KvLayer&)> attend;
};

// One a kind of CPU code that this machine runs. `REDPROOF_SUBJECT` (a prefix of the name) narrows the list.
std::vector<KvSubject> cpu_subjects();

// The fastest of them on five threads: shares of work that are not alike, and parts that only a worker runs.
std::vector<KvSubject> threaded_subjects();

enum class AttentionPath : std::uint8_t { decode, prefill };

// What attention sees at each position of one sequence, element by element: with a window of one token and a one-hot query the
// log-sum-exp is one element of K times its scale, and the output is V times its scale. Both exact.
struct ReadElements {
  std::vector<float> k;  // [tokens, q_heads, head_dim]
  std::vector<float> v;  // [tokens, q_heads, head_dim]
};

// layer.spec.window_tokens has to be 1. decode: each position is a sequence of one row; prefill: all positions are rows of one sequence.
ReadElements read_through_attention(const KvSubject& subject, const engine::KvLayer& layer, std::span<const std::int32_t> block_table,
                                    std::int64_t tokens, std::int32_t q_heads, AttentionPath path, std::int64_t first_position = 0);

}  // namespace redproof::properties
