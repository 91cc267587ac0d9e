// A store writes every byte of its slots and no other: padding slots, padding bytes between heads, slots and pages, and all other slots
// keep theirs.
#include <algorithm>

#include "oracle/address/kv_address.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

// The bytes of one side that a store to `slots` owns; negative slots own none.
std::vector<bool> owned_bytes(const engine::KvPages& pages, std::size_t size, std::span<const std::int64_t> slots) {
  std::int64_t const bytes = pages.storage == engine::KvStorage::fp8_e4m3 ? 1 : 2;
  oracle::PageStrides const strides{pages.page_stride_bytes, pages.slot_stride_bytes, pages.head_stride_bytes, bytes};
  std::vector<bool> owned(size, false);
  oracle::for_each_element({pages.pages, pages.block_tokens, pages.kv_heads, pages.head_dim, bytes}, strides,
                           [&](const oracle::PageCoordinate& at, oracle::Wide offset) {
                             std::int64_t const slot = at.page * pages.block_tokens + at.slot;
                             if (std::find(slots.begin(), slots.end(), slot) == slots.end()) return;
                             for (std::int64_t i = 0; i < bytes; ++i) owned[static_cast<std::size_t>(offset + i)] = true;
                           });
  return owned;
}

void check_side(const char* side, const engine::KvPages& pages, const std::vector<std::byte>& memory, std::byte canary,
                std::span<const std::int64_t> slots, Tally& tally) {
  auto const owned = owned_bytes(pages, memory.size(), slots);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    tally.count(owned[i] ? "owned bytes" : "canaries");
    if (tally.equal((memory[i] != canary) == owned[i])) {
      tally.witness({std::string(side) + " byte " + std::to_string(i) + " of " + std::to_string(memory.size()),
                     owned[i] ? "a slot of the store owns it" : "no slot of the store owns it",
                     hex(std::to_integer<std::uint64_t>(memory[i]), 2),
                     (owned[i] ? "not " : "") + hex(std::to_integer<std::uint64_t>(canary), 2)});
    }
  }
}

void check_shape(const KvSubject& subject, KvShape shape, std::int64_t tokens, std::uint64_t seed, Tally& tally) {
  shape.scales = {0.25F, 2.0F};
  constexpr std::uint8_t canary = 0xA5;
  KvFixture fixture(shape, canary);
  auto slots = permutation(shape.pages * shape.block_tokens, seed);
  slots.resize(static_cast<std::size_t>(tokens));
  for (std::size_t i = 0; i < slots.size(); i += 3) slots[i] = i % 2 == 0 ? -1 : -7;  // every negative slot is padding
  tally.count("padding slots", (slots.size() + 2) / 3);
  bool const is_short = shape.storage == engine::KvStorage::fp8_e4m3 && shape.head_dim % 8 == 7;
  if (is_short) tally.count("fp8 rows one lane short of a vector", slots.size() - (slots.size() + 2) / 3);
  // 1.0 is stored as 4.0 (0x48), 0.5 (0x30) or 0x3F80: no byte of it is the canary.
  std::vector<std::uint16_t> const ones(static_cast<std::size_t>(tokens * shape.kv_heads * shape.head_dim), 0x3F80);
  subject.store({ones.data(), engine::DType::bf16}, {ones.data(), engine::DType::bf16}, slots, fixture.layer);
  check_side("K", fixture.layer.k, fixture.k_memory, std::byte{canary}, slots, tally);
  check_side("V", fixture.layer.v, fixture.v_memory, std::byte{canary}, slots, tally);
}

}  // namespace

LawVerdict other_bytes_are_unchanged(const KvSubject& subject) {
  Law law{"other_bytes_are_unchanged", subject.name,
          "exact: a byte that no slot of the store owns keeps its value, and every other byte is written"};
  law.cases = 8;
  law.floors = {{"canaries", 10000}, {"owned bytes", 5000}, {"padding slots", 16}, {"fp8 rows one lane short of a vector", 16}};
  law.separates = {"store/padding_written", "store/stops_at_padding", "store/row_overrun_avx2"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    auto const tokens = draw.integer("tokens", 1, 30);
    auto const seed = draw.bits("slots");
    for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
      for (std::int32_t const head_dim : {20, 23}) {
        check_shape(subject, {.storage = storage, .head_dim = head_dim}, tokens, seed, tally);
      }
    }
  });
}

}  // namespace redproof::properties
