#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace redproof::engine::text {

struct Merge {
  std::int32_t rank;  // lower goes first
  std::int32_t id;    // of the joined token
};

constexpr std::uint64_t merge_key(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

struct BpeModel {
  std::array<std::int32_t, 256> byte_ids;                 // -1: the vocabulary lacks this byte
  std::unordered_map<std::uint64_t, Merge> merges;        // by merge_key
  std::unordered_map<std::string, std::int32_t> entries;  // by the bytes they spell; filled only where ignore_merges needs it
  std::optional<std::int32_t> unknown_id;                 // absent: a byte that the vocabulary lacks is dropped
  bool fuse_unknown = false;
  bool ignore_merges = false;  // a word that is an entry is that entry, whatever the merges say
};

void bpe_encode(const BpeModel& model, std::string_view word, std::vector<std::int32_t>& ids);

}  // namespace redproof::engine::text
