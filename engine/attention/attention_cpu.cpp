#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/attention/attention.h"
#include "engine/attention/head.h"
#include "engine/bits/isa.h"
#include "engine/kv/read.h"
#include "engine/matmul/threads.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

constexpr std::int64_t prefill_block_rows = 32;  // rows that share a decoded tile; more blocks spread over more threads

// A bfloat16 cache holds the values themselves.
KvScales read_scales(const KvLayer& layer) { return layer.spec.storage == KvStorage::fp8_e4m3 ? layer.scales : KvScales{1.0F, 1.0F}; }

AttentionPlan plan_of(const AttentionCall& call, const KvLayer& layer, CpuIsa isa) {
  const KvScales scales = read_scales(layer);
  const float score_scale = call.softmax_scale * scales.k;
  const float out_scale = scales.v;
  return {call, layer, isa, call.q_heads / layer.spec.kv_heads, score_scale, out_scale};
}

void require_sequence(const AttentionSequence& sequence, std::int32_t block_tokens) {
  const bool in_range = sequence.first_row >= 0 && sequence.rows >= 0 && sequence.first_position >= 0;
  const std::int64_t capacity = std::ssize(sequence.block_table) * block_tokens;
  if (in_range && sequence.first_position <= capacity - sequence.rows) return;
  throw Refusal(fmt::format("attention: {} rows from position {} lie outside of {} blocks of {} tokens", sequence.rows,
                            sequence.first_position, sequence.block_table.size(), block_tokens));
}

void require_call(const AttentionCall& call, const KvLayer& layer) {
  if (call.q_heads <= 0 || call.q_heads % layer.spec.kv_heads != 0) {
    throw Refusal(
        fmt::format("attention: num_attention_heads {} is no multiple of num_key_value_heads {}", call.q_heads, layer.spec.kv_heads));
  }
  for (const AttentionSequence& sequence : call.sequences) require_sequence(sequence, layer.spec.block_tokens);
}

// The units of work, in a fixed order: (sequence, KV head, block of rows).
std::vector<AttentionHead> heads_of(const AttentionCall& call, std::int32_t kv_heads) {
  std::vector<AttentionHead> heads;
  for (const AttentionSequence& sequence : call.sequences) {
    for (std::int32_t kv_head = 0; kv_head < kv_heads; ++kv_head) {
      for (std::int64_t done = 0; done < sequence.rows; done += prefill_block_rows) {
        heads.push_back({sequence, kv_head, sequence.first_row + done, std::min(prefill_block_rows, sequence.rows - done)});
      }
    }
  }
  return heads;
}

void attend_head(const AttentionPlan& plan, const AttentionHead& head, AttentionScratch& scratch) {
  head.sequence.rows == 1 ? decode_head(plan, head, scratch) : prefill_head(plan, head, scratch);
}

}  // namespace

void attend(const AttentionCall& call, const KvLayer& layer, const CpuOptions& cpu) {
  require_isa(cpu.isa);
  require_agreement(layer);
  require_call(call, layer);
  const AttentionPlan plan = plan_of(call, layer, cpu.isa);
  const std::vector<AttentionHead> heads = heads_of(call, layer.spec.kv_heads);
  parallel_for(std::ssize(heads), cpu.threads, [&](std::int64_t begin, std::int64_t end) {
    AttentionScratch scratch;
    for (std::int64_t i = begin; i < end; ++i) attend_head(plan, heads[static_cast<std::size_t>(i)], scratch);
  });
}

}  // namespace redproof::engine
