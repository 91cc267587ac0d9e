#include "properties/subjects/kv_subject.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/bits/fp8.h"

namespace redproof::properties {
namespace {

using engine::CpuIsa;
using engine::CpuOptions;

KvSubject cpu_subject(const char* name, CpuIsa isa, int threads) {
  CpuOptions const cpu{isa, threads};
  return {name,
          [cpu](const engine::KvSource& k, const engine::KvSource& v, std::span<const std::int64_t> slots, engine::KvLayer& layer) {
            engine::store_kv(k, v, slots, layer, cpu);
          },
          [cpu](const engine::AttentionCall& call, const engine::KvLayer& layer) { engine::attend(call, layer, cpu); }};
}

// One sequence a position (decode), or one with all positions (prefill).
std::vector<engine::AttentionSequence> sequences_of(std::span<const std::int32_t> table, std::int64_t first_position, std::int64_t tokens,
                                                    AttentionPath path) {
  if (path == AttentionPath::prefill) return {{0, tokens, first_position, table}};
  std::vector<engine::AttentionSequence> sequences;
  for (std::int64_t row = 0; row < tokens; ++row) sequences.push_back({row, 1, first_position + row, table});
  return sequences;
}

// REDPROOF_SUBJECT asks for some.
std::vector<KvSubject> wanted(std::vector<KvSubject> subjects) {
  const char* const prefix = std::getenv("REDPROOF_SUBJECT");
  if (prefix != nullptr) std::erase_if(subjects, [prefix](const KvSubject& subject) { return !subject.name.starts_with(prefix); });
  return subjects;
}

}  // namespace

std::vector<KvSubject> cpu_subjects() {
  std::vector<KvSubject> subjects = {cpu_subject("cpu/scalar", CpuIsa::scalar, 1)};
  if (engine::cpu_has_avx2()) subjects.push_back(cpu_subject("cpu/avx2", CpuIsa::avx2, 1));
  return wanted(std::move(subjects));
}

std::vector<KvSubject> threaded_subjects() {
  bool const avx2 = engine::cpu_has_avx2();
  return wanted({avx2 ? cpu_subject("cpu/avx2/threads", CpuIsa::avx2, 5) : cpu_subject("cpu/scalar/threads", CpuIsa::scalar, 5)});
}

ReadElements read_through_attention(const KvSubject& subject, const engine::KvLayer& layer, std::span<const std::int32_t> block_table,
                                    std::int64_t tokens, std::int32_t q_heads, AttentionPath path, std::int64_t first_position) {
  std::int32_t const dim = layer.spec.head_dim;
  auto const rows = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(q_heads);
  auto const sequences = sequences_of(block_table, first_position, tokens, path);
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
