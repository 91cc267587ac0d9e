#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "engine/bits/bf16.h"
#include "engine/bits/fp8.h"
#include "engine/kv/address.h"
#include "engine/kv/read.h"
#include "engine/kv/store.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

// Nothing is written before every slot is known to lie in the cache.
void require_slots(std::span<const std::int64_t> slots, const KvPages& pages) {
  for (const std::int64_t slot : slots) {
    if (slot / pages.block_tokens < pages.pages) continue;
    throw Refusal(fmt::format("kv cache: slot {} lies past the end of {} blocks of {} tokens", slot, pages.pages, pages.block_tokens));
  }
}

// `count` elements of a side's source from `first`, as bfloat16: what a bfloat16 model would have stored.
void round_to_bf16(const KvSource& source, std::int64_t first, std::int64_t count, std::uint16_t* out) {
  switch (source.dtype) {
    case DType::f32:
      for (std::int64_t i = 0; i < count; ++i) out[i] = f32_to_bf16(static_cast<const float*>(source.data)[first + i]);
      return;
    case DType::f16:
      for (std::int64_t i = 0; i < count; ++i) out[i] = f32_to_bf16(f16_to_f32(static_cast<const std::uint16_t*>(source.data)[first + i]));
      return;
    case DType::bf16:
      std::memcpy(out, static_cast<const std::uint16_t*>(source.data) + first, static_cast<std::size_t>(count) * sizeof *out);
      return;
  }
}

void store_e4m3(const std::uint16_t* source, float scale, std::int64_t count, CpuIsa isa, std::byte* lanes) {
  auto* codes = reinterpret_cast<std::uint8_t*>(lanes);
  // mutate: skip(relational, condition_forced) equal bytes, as stored_byte_is_nearest shows of each
  isa == CpuIsa::avx2 ? store_e4m3_avx2(source, scale, count, codes) : store_e4m3_scalar(source, scale, count, codes);
}

// The lanes of one head of one token. A bfloat16 cache copies bits and has no scale.
void store_lanes(const std::uint16_t* source, float scale, const KvPages& pages, const KvCoordinate& at, CpuIsa isa) {
  std::byte* lanes = pages.data + kv_offset_bytes(pages, at);
  switch (pages.storage) {
    case KvStorage::fp8_e4m3:
      return store_e4m3(source, scale, pages.head_dim, isa, lanes);
    case KvStorage::bfloat16:
      std::memcpy(lanes, source, static_cast<std::size_t>(pages.head_dim) * sizeof *source);
      return;
  }
}

// In one thread: two tokens may name one slot, and then the later one stays.
void store_side(const KvSource& source, const KvPages& pages, float scale, std::span<const std::int64_t> slots, CpuIsa isa) {
  // mutate: skip(widening_removed) one token of 2^31 elements takes 4 GiB
  const std::int64_t row_elements = std::int64_t{pages.kv_heads} * pages.head_dim;
  std::vector<std::uint16_t> row(static_cast<std::size_t>(row_elements));  // [kv_heads, head_dim]
  for (std::int64_t token = 0; token < std::ssize(slots); ++token) {
    const std::int64_t slot = slots[static_cast<std::size_t>(token)];
    if (slot < 0) continue;  // padding
    round_to_bf16(source, token * row_elements, row_elements, row.data());
    for (std::int32_t head = 0; head < pages.kv_heads; ++head) {
      const KvCoordinate at{slot / pages.block_tokens, static_cast<std::int32_t>(slot % pages.block_tokens), head, 0};
      // mutate: skip(widening_removed) as above
      store_lanes(row.data() + std::int64_t{head} * pages.head_dim, scale, pages, at, isa);
    }
  }
}

}  // namespace

void store_kv(const KvSource& k, const KvSource& v, std::span<const std::int64_t> slots, KvLayer& layer, const CpuOptions& cpu) {
  require_isa(cpu.isa);  // mutate: skip(call_removed) shows on a CPU without AVX2 alone
  require_agreement(layer);
  require_slots(slots, layer.k);  // mutate: skip(neighbour_swapped) V has as many pages, as require_agreement says
  store_side(k, layer.k, layer.scales.k, slots, cpu.isa);
  store_side(v, layer.v, layer.scales.v, slots, cpu.isa);
}

}  // namespace redproof::engine
