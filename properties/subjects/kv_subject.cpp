#include "properties/subjects/kv_subject.h"

#include <algorithm>
#include <cstdlib>

#include "engine/bits/fp8.h"

namespace redproof::properties {
namespace {

using engine::CpuIsa;
using engine::CpuOptions;

KvSubject cpu_subject(const char* name, CpuIsa isa) {
  CpuOptions const cpu{isa, 1};
  return {name,
          [cpu](const engine::KvSource& k, const engine::KvSource& v, std::span<const std::int64_t> slots, engine::KvLayer& layer) {
            engine::store_kv(k, v, slots, layer, cpu);
          },
          [cpu](const engine::AttentionCall& call, const engine::KvLayer& layer) { engine::attend(call, layer, cpu); }};
}

// One sequence a position (decode), or one with all positions (prefill).
std::vector<engine::AttentionSequence> sequences_of(std::span<const std::int32_t> table, std::int64_t tokens, AttentionPath path) {
  if (path == AttentionPath::prefill) return {{0, tokens, 0, table}};
  std::vector<engine::AttentionSequence> sequences;
  for (std::int64_t position = 0; position < tokens; ++position) sequences.push_back({position, 1, position, table});
  return sequences;
}

}  // namespace

std::vector<KvSubject> cpu_subjects() {
  std::vector<KvSubject> subjects = {cpu_subject("cpu/scalar", CpuIsa::scalar)};
  if (engine::cpu_has_avx2()) subjects.push_back(cpu_subject("cpu/avx2", CpuIsa::avx2));
  const char* const wanted = std::getenv("REDPROOF_SUBJECT");
  if (wanted != nullptr) std::erase_if(subjects, [wanted](const KvSubject& subject) { return !subject.name.starts_with(wanted); });
  return subjects;
}

ReadElements read_through_attention(const KvSubject& subject, const engine::KvLayer& layer, std::span<const std::int32_t> block_table,
                                    std::int64_t tokens, std::int32_t q_heads, AttentionPath path) {
  std::int32_t const dim = layer.spec.head_dim;
  auto const rows = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(q_heads);
  auto const sequences = sequences_of(block_table, tokens, path);
  ReadElements read{std::vector<float>(rows * static_cast<std::size_t>(dim)), std::vector<float>(rows * static_cast<std::size_t>(dim))};
  std::vector<float> q(read.k.size());
  std::vector<float> lse(rows);
  for (std::int32_t lane = 0; lane < dim; ++lane) {
    std::fill(q.begin(), q.end(), 0.0F);
    for (std::size_t row = 0; row < rows; ++row) q[row * static_cast<std::size_t>(dim) + static_cast<std::size_t>(lane)] = 1.0F;
    subject.attend({q.data(), read.v.data(), lse.data(), q_heads, 1.0F, sequences}, layer);
    for (std::size_t row = 0; row < rows; ++row) read.k[row * static_cast<std::size_t>(dim) + static_cast<std::size_t>(lane)] = lse[row];
  }
  return read;
}

}  // namespace redproof::properties
