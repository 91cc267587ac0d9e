#include "engine/kv/store.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/bits/bf16.h"
#include "engine/kv/read.h"
#include "engine/kv/slots.h"
#include "engine/types/error.h"
#include "tests/catch.h"
#include "tests/engine/bits/e4m3_truth.h"
#include "tests/engine/isas.h"
#include "tests/engine/kv/layer_fixture.h"

using namespace redproof::engine;
using namespace redproof::engine::fixture;

namespace {

std::uint32_t truth_bits(const KvPages& pages, std::uint16_t bf16, float scale) {
  return pages.storage == KvStorage::bfloat16 ? bf16 : truth::nearest(bf16_to_f32(bf16) / scale);
}

// What a side's memory must be after the store, by element; a token writes slots[token], the last one wins.
std::int64_t wrong_elements(const KvPages& pages, const std::vector<std::uint16_t>& source, float scale,
                            const std::vector<std::int64_t>& slots) {
  const std::uint32_t unwritten = pages.storage == KvStorage::bfloat16 ? 0xFFFF : 0xFF;
  std::int64_t wrong = 0;
  for (std::int64_t slot = 0; slot < pages.pages * pages.block_tokens; ++slot) {
    const auto writer = std::find(slots.rbegin(), slots.rend(), slot);
    const std::int64_t token = std::distance(slots.begin(), writer.base()) - 1;
    for (std::int64_t head = 0; head < pages.kv_heads; ++head) {
      for (std::int64_t lane = 0; lane < pages.head_dim; ++lane) {
        const std::uint32_t bits = element_bits(pages, slot / pages.block_tokens, slot % pages.block_tokens, head, lane);
        const auto at = static_cast<std::size_t>((token * pages.kv_heads + head) * pages.head_dim + lane);
        wrong += bits != (writer == slots.rend() ? unwritten : truth_bits(pages, source[at], scale));
      }
    }
  }
  return wrong;
}

std::vector<std::uint16_t> bf16_of(const std::vector<float>& values) {
  std::vector<std::uint16_t> codes(values.size());
  std::transform(values.begin(), values.end(), codes.begin(), f32_to_bf16);
  return codes;
}

// Bytes that differ from 0xFF, over the whole memory, gaps included.
std::int64_t written_bytes(const LayerMemory& memory) {
  return std::ssize(memory.bytes) - std::count(memory.bytes.begin(), memory.bytes.end(), std::byte{0xFF});
}

constexpr std::size_t token_elements = 3 * 20;

}  // namespace

TEST_CASE("a store writes each side's nearest bytes to its slots and no byte beside them, in every layout", "[store]") {
  const std::vector<std::int64_t> slots{17, 3, padding_slot, 34, 0, 16};
  for (const Layout layout : {Layout::dense, Layout::padded, Layout::heads_outer}) {
    for (const KvStorage storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      for (const CpuIsa isa : isas()) {
        Numbers numbers(11);
        const std::vector<std::uint16_t> k = bf16_of(numbers.floats(6 * token_elements, 20.0F));
        const std::vector<std::uint16_t> v = bf16_of(numbers.floats(6 * token_elements, 3.0F));
        LayerMemory memory({.storage = storage, .layout = layout});
        store_kv({k.data(), DType::bf16}, {v.data(), DType::bf16}, slots, memory.layer, {isa, 2});
        CHECK(wrong_elements(memory.layer.k, k, 0.06F, slots) == 0);
        CHECK(wrong_elements(memory.layer.v, v, 0.35F, slots) == 0);
        CHECK(written_bytes(memory) <= 2 * 5 * std::int64_t{token_elements} * (storage == KvStorage::bfloat16 ? 2 : 1));
      }
    }
  }
}

TEST_CASE("every bfloat16 code is stored right on both sides, with a scale that saturates and one that underflows", "[store]") {
  const LayerShape shape{.kv_heads = 16, .head_dim = 64, .block_tokens = 16, .pages = 4, .scales = {0x1.3p-120F, 0x1.7p+100F}};
  std::vector<std::uint16_t> codes(65536);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i);
  const std::vector<std::uint16_t> reversed(codes.rbegin(), codes.rend());
  std::vector<std::int64_t> slots(64);
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<std::int64_t>(63 - i);
  for (const CpuIsa isa : isas()) {
    LayerMemory memory(shape);
    store_kv({codes.data(), DType::bf16}, {reversed.data(), DType::bf16}, slots, memory.layer, {isa, 1});
    CHECK(wrong_elements(memory.layer.k, codes, shape.scales.k, slots) == 0);
    CHECK(wrong_elements(memory.layer.v, reversed, shape.scales.v, slots) == 0);
  }
}

TEST_CASE("float32 and float16 sources are rounded to bfloat16 before the division, each side from its own dtype", "[store]") {
  Numbers numbers(5);
  const std::vector<float> k = numbers.floats(40 * token_elements, 2.0F);
  std::vector<std::uint16_t> v_half(40 * token_elements);
  for (auto& half : v_half) half = static_cast<std::uint16_t>(numbers.bits() & 0x83FFU) | 0x3C00U;  // +-[1, 2)
  std::vector<float> v(v_half.size());
  std::transform(v_half.begin(), v_half.end(), v.begin(), f16_to_f32);
  std::int64_t seen = 0;  // elements that show whether the source was rounded first
  for (const float x : k) seen += truth::nearest(x / 0.06F) != truth::nearest(bf16_to_f32(f32_to_bf16(x)) / 0.06F);
  REQUIRE(seen > 10);
  std::vector<std::int64_t> slots(40);
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<std::int64_t>(i);
  for (const CpuIsa isa : isas()) {
    LayerMemory one({.pages = 8});
    store_kv({k.data(), DType::f32}, {v_half.data(), DType::f16}, slots, one.layer, {isa, 1});
    CHECK(wrong_elements(one.layer.k, bf16_of(k), 0.06F, slots) == 0);
    CHECK(wrong_elements(one.layer.v, bf16_of(v), 0.35F, slots) == 0);
    const std::vector<std::uint16_t> v_codes = bf16_of(v);
    LayerMemory two({.pages = 8});
    store_kv({v_codes.data(), DType::bf16}, {k.data(), DType::f32}, slots, two.layer, {isa, 1});
    CHECK(wrong_elements(two.layer.k, v_codes, 0.06F, slots) == 0);
    CHECK(wrong_elements(two.layer.v, bf16_of(k), 0.35F, slots) == 0);
  }
}

TEST_CASE("a bfloat16 cache takes the bits as they are, NaN payloads and signed zeros included, whatever the scales", "[store]") {
  const LayerShape shape{.storage = KvStorage::bfloat16, .kv_heads = 16, .head_dim = 64, .block_tokens = 16, .pages = 4};
  std::vector<std::uint16_t> codes(65536);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i * 40503);
  std::vector<std::int64_t> slots(64);
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<std::int64_t>(i);
  LayerMemory memory(shape);
  store_kv({codes.data(), DType::bf16}, {codes.data(), DType::bf16}, slots, memory.layer, {CpuIsa::scalar, 1});
  CHECK(wrong_elements(memory.layer.k, codes, NAN, slots) == 0);
  CHECK(wrong_elements(memory.layer.v, codes, NAN, slots) == 0);
}

TEST_CASE("padding slots write nothing, whichever negative number they are", "[store]") {
  const std::vector<float> ones(3 * token_elements, 1.0F);
  const std::vector<std::int64_t> slots{padding_slot, -5, std::int64_t{-1} << 40};
  LayerMemory memory({});
  store_kv({ones.data(), DType::f32}, {ones.data(), DType::f32}, slots, memory.layer, {CpuIsa::scalar, 1});
  CHECK(written_bytes(memory) == 0);
}

TEST_CASE("of two tokens with one slot the later stays", "[store]") {
  Numbers numbers(7);
  const std::vector<std::uint16_t> source = bf16_of(numbers.floats(3 * token_elements, 4.0F));
  const std::vector<std::int64_t> slots{9, 4, 9};
  LayerMemory memory({});
  store_kv({source.data(), DType::bf16}, {source.data(), DType::bf16}, slots, memory.layer, {CpuIsa::scalar, 4});
  CHECK(wrong_elements(memory.layer.k, source, 0.06F, slots) == 0);
}

TEST_CASE("a slot past the end is refused before anything is written", "[store]") {
  const std::vector<float> ones(3 * token_elements, 1.0F);
  for (const std::int64_t past : {std::int64_t{35}, std::int64_t{36}, std::int64_t{1} << 62}) {
    const std::vector<std::int64_t> slots{0, 34, past};
    LayerMemory memory({});
    REQUIRE_THROWS_AS(store_kv({ones.data(), DType::f32}, {ones.data(), DType::f32}, slots, memory.layer, {CpuIsa::scalar, 1}), Refusal);
    REQUIRE(written_bytes(memory) == 0);
  }
}

TEST_CASE("a storage that disagrees with the spec is refused before anything is written", "[store]") {
  const std::vector<float> ones(token_elements, 1.0F);
  const std::vector<std::int64_t> slots{0};
  LayerMemory memory({.storage = KvStorage::bfloat16});
  memory.layer.v.storage = KvStorage::fp8_e4m3;
  CHECK_THROWS_WITH(store_kv({ones.data(), DType::f32}, {ones.data(), DType::f32}, slots, memory.layer, {CpuIsa::scalar, 1}),
                    ContainsSubstring("kv cache dtype"));
  CHECK(written_bytes(memory) == 0);
}

TEST_CASE("a page beyond 4 GiB is stored and read at its own address", "[store]") {
  constexpr std::int64_t pages = (1 << 21) + 3;
  constexpr std::int64_t side_bytes = pages * 2048;
  void* const map = mmap(nullptr, 2 * side_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(map != MAP_FAILED);
  auto* const bytes = static_cast<std::byte*>(map);
  const KvPages side{bytes, KvStorage::fp8_e4m3, pages, 16, 2, 64, 2048, 128, 64};
  KvLayer layer{{KvStorage::fp8_e4m3, 2, 64, 16, 0}, side, side, {0.5F, 0.25F}};
  layer.v.data += side_bytes;
  const std::vector<float> ones(128, 1.0F);
  const std::vector<std::int64_t> slots{(pages - 1) * 16 + 15};
  store_kv({ones.data(), DType::f32}, {ones.data(), DType::f32}, slots, layer, {CpuIsa::scalar, 1});
  CHECK(bytes[side_bytes - 1] == std::byte{0x40});      // 2
  CHECK(bytes[2 * side_bytes - 1] == std::byte{0x48});  // 4
  const std::vector<std::int32_t> table{pages - 1};
  std::vector<float> tile(64);
  read_tile(layer.v, table, 15, 1, 1, CpuIsa::scalar, tile.data());
  CHECK(tile == std::vector<float>(64, 4.0F));
  munmap(map, 2 * side_bytes);
}
