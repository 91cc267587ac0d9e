#include <fmt/format.h>

#include "engine/bits/bf16.h"
#include "engine/bits/fp8.h"
#include "engine/kv/address.h"
#include "engine/kv/read.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

void require_range(const KvPages& pages, std::span<const std::int32_t> block_table, std::int64_t first_position, std::int64_t tokens,
                   std::int32_t kv_head) {
  if (kv_head < 0 || kv_head >= pages.kv_heads) throw Refusal(fmt::format("kv cache: head {} of {}", kv_head, pages.kv_heads));
  const std::int64_t capacity = std::ssize(block_table) * pages.block_tokens;
  if (first_position < 0 || tokens < 0 || first_position > capacity - tokens) {
    throw Refusal(fmt::format("block table: positions {} and {} more lie outside of {} blocks of {} tokens", first_position, tokens,
                              block_table.size(), pages.block_tokens));
  }
}

KvCoordinate locate(const KvPages& pages, std::span<const std::int32_t> block_table, std::int64_t position, std::int32_t kv_head) {
  const std::int64_t page = block_table[static_cast<std::size_t>(position / pages.block_tokens)];
  if (page < 0 || page >= pages.pages) throw Refusal(fmt::format("block table: block {} of {}", page, pages.pages));
  return {page, static_cast<std::int32_t>(position % pages.block_tokens), kv_head, 0};
}

void decode_e4m3(const std::byte* lanes, std::int64_t count, CpuIsa isa, float* out) {
  const auto* codes = reinterpret_cast<const std::uint8_t*>(lanes);
  // mutate: skip(relational, condition_forced) equal bits, as read_of_store_is_within_envelope shows of each
  isa == CpuIsa::avx2 ? decode_e4m3_avx2(codes, count, out) : decode_e4m3_scalar(codes, count, out);
}

void decode_bf16(const std::byte* lanes, std::int64_t count, CpuIsa isa, float* out) {
  // mutate: skip(relational, condition_forced) equal bits
  isa == CpuIsa::avx2 ? decode_bf16_avx2(lanes, count, out) : decode_bf16_scalar(lanes, count, out);
}

void read_lanes(const KvPages& pages, const KvCoordinate& at, CpuIsa isa, float* out) {
  const std::byte* lanes = pages.data + kv_offset_bytes(pages, at);
  switch (pages.storage) {
    case KvStorage::fp8_e4m3:
      return decode_e4m3(lanes, pages.head_dim, isa, out);
    case KvStorage::bfloat16:
      return decode_bf16(lanes, pages.head_dim, isa, out);
  }
}

}  // namespace

void read_tile(const KvPages& pages, std::span<const std::int32_t> block_table, std::int64_t first_position, std::int64_t tokens,
               std::int32_t kv_head, CpuIsa isa, float* out) {
  require_isa(isa);  // mutate: skip(call_removed) shows on a CPU without AVX2 alone
  require_range(pages, block_table, first_position, tokens, kv_head);
  for (std::int64_t token = 0; token < tokens; ++token) {
    read_lanes(pages, locate(pages, block_table, first_position + token, kv_head), isa, out + token * pages.head_dim);
  }
}

}  // namespace redproof::engine
