// Sizes that are no sizes, and sizes past what the engine can count, are refused by name and figure, whichever way they are asked for; the
// nearest possible one is taken. Against exact products of 128 bits.
#include <limits>

#include "engine/kv/cache.h"
#include "engine/kv/spec.h"
#include "engine/types/error.h"
#include "properties/laws.h"
#include "properties/named_in_order.h"

namespace redproof::properties {
namespace {

using engine::KvLayerSpec;
using engine::KvPoolRequest;
using engine::KvStorage;

constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();  // ids of 32 bits
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int32_t most_extent = std::numeric_limits<std::int32_t>::max();

// The figure where it is taken, or "refused" where the message names all of `names`, in their order.
template <class Call>
std::string asked(const Call& call, const std::vector<std::string>& names) {
  try {
    return std::to_string(call());
  } catch (const engine::Refusal& refusal) {
    std::string const message = refusal.what();
    return named_in_order(message, names) ? "refused" : "refused, and not named: " + message;
  }
}

class Sizes {
 public:
  explicit Sizes(Tally& tally) : tally_(tally) {}

  template <class Call>
  void refuse(const std::string& what, const std::vector<std::string>& names, const Call& call) {
    tally_.count("impossible");
    check(what, asked(call, names), "refused");
  }
  template <class Call>
  void take(const std::string& what, std::int64_t truth, const Call& call) {
    tally_.count("possible");
    check(what, asked(call, {}), std::to_string(truth));
  }

 private:
  void check(const std::string& what, const std::string& observed, const std::string& truth) {
    if (tally_.equal(observed == truth)) tally_.witness({what, "", observed, truth});
  }
  Tally& tally_;
};

KvLayerSpec spec_of(std::int32_t tokens, std::int32_t heads, std::int32_t lanes) { return {KvStorage::fp8_e4m3, heads, lanes, tokens, 0}; }

std::int64_t blocks_of(const std::vector<KvLayerSpec>& specs, const KvPoolRequest& request) {
  return engine::plan_pool(specs, request).num_blocks;
}

void check_counts(Sizes& sizes) {
  std::vector<KvLayerSpec> const specs = {spec_of(4, 3, 20)};  // 480 bytes a block
  auto const count = [&specs](std::int64_t blocks) { return [&specs, blocks] { return blocks_of(specs, {blocks, std::nullopt}); }; };
  auto const memory = [&specs](std::int64_t bytes) { return [&specs, bytes] { return blocks_of(specs, {std::nullopt, bytes}); }; };
  for (std::int64_t const blocks : {least, std::int64_t{-1}, std::int64_t{0}})
    sizes.refuse("blocks that are none", {"--num-blocks", std::to_string(blocks)}, count(blocks));
  for (std::int64_t const blocks : {most_blocks + 1, most})
    sizes.refuse("blocks past 32 bits", {"--num-blocks", std::to_string(blocks), "480"}, count(blocks));
  for (std::int64_t const blocks : {std::int64_t{1}, most_blocks}) sizes.take("blocks", blocks, count(blocks));
  for (std::int64_t const bytes : {least, std::int64_t{-480}, std::int64_t{0}, std::int64_t{479}})
    sizes.refuse("a memory without a block", {"--kv-cache-memory", std::to_string(bytes), "480"}, memory(bytes));
  for (std::int64_t const blocks : {most_blocks + 1, most / 480})
    sizes.refuse("a memory past 32 bits", {"--kv-cache-memory", std::to_string(blocks), "480"}, memory(480 * blocks));
  for (std::int64_t const blocks : {std::int64_t{1}, most_blocks}) sizes.take("a memory", blocks, memory(480 * blocks + 479));
}

void check_extents(Sizes& sizes) {
  auto const bytes = [](const KvLayerSpec& spec) { return [spec] { return engine::block_bytes(spec); }; };
  for (std::int32_t const none : {-most_extent, -1, 0}) {
    sizes.refuse("block_tokens", {"block_tokens", std::to_string(none)}, bytes(spec_of(none, 1, 1)));
    sizes.refuse("kv_heads", {"kv_heads", std::to_string(none)}, bytes(spec_of(1, none, 1)));
    sizes.refuse("head_dim", {"head_dim", std::to_string(none)}, bytes(spec_of(1, 1, none)));
  }
  sizes.take("the smallest block", 2, bytes(spec_of(1, 1, 1)));
  std::string const extents[] = {std::to_string(most_extent), std::to_string(most_extent - 1), std::to_string(most_extent - 2)};
  sizes.refuse("a block past 64 bits", {extents[0], extents[1], extents[2]}, bytes(spec_of(most_extent, most_extent - 1, most_extent - 2)));
  // 2^62 bytes: one layer can be counted, two cannot.
  KvLayerSpec const quarter = spec_of(1 << 30, 1 << 30, 2);
  sizes.take("a block of 2^62 bytes", std::int64_t{1} << 62, bytes(quarter));
  std::vector<KvLayerSpec> const two = {quarter, quarter};
  sizes.refuse("two layers past 64 bits", {"2 layers"}, [&two] { return engine::block_bytes(two); });
  std::vector<KvLayerSpec> const one = {quarter};
  sizes.take("one block of 2^62 bytes", 1, [&one] { return blocks_of(one, {1, std::nullopt}); });
  sizes.refuse("blocks past 64 bits", {"--num-blocks", "2", std::to_string(std::int64_t{1} << 62)},
               [&one] { return blocks_of(one, {2, std::nullopt}); });
}

void check_config(Sizes& sizes) {
  auto const layers = [](std::int32_t count, std::int32_t heads, std::int32_t lanes, std::int32_t tokens, std::size_t windows) {
    return [=] {
      engine::ModelConfig config;
      config.layers = count;
      config.q_heads = 4;
      config.kv_heads = heads;
      config.head_dim = lanes;
      config.window_tokens.assign(windows, 0);
      return std::ssize(engine::layer_specs(config, KvStorage::fp8_e4m3, tokens));
    };
  };
  for (std::int32_t const none : {-1, 0}) {
    std::string const figure = std::to_string(none);
    sizes.refuse("num_hidden_layers", {"num_hidden_layers", figure}, layers(none, 2, 8, 4, 0));
    sizes.refuse("num_key_value_heads", {"num_key_value_heads", figure}, layers(3, none, 8, 4, 3));
    sizes.refuse("head_dim", {"head_dim", figure}, layers(3, 2, none, 4, 3));
    sizes.refuse("block_tokens", {"block_tokens", figure}, layers(3, 2, 8, none, 3));
  }
  for (std::size_t const windows : {0U, 2U, 4U}) sizes.refuse("windows", {std::to_string(windows), "3"}, layers(3, 2, 8, 4, windows));
  sizes.take("layers", 3, layers(3, 2, 8, 4, 3));
}

void check_pool(Sizes& sizes) {
  auto const pool = [](std::int64_t blocks) { return [blocks] { return engine::BlockPool(blocks).free_blocks(); }; };
  for (std::int64_t const blocks : {least, std::int64_t{-1}, most_blocks + 1, most})
    sizes.refuse("a pool", {"--num-blocks", std::to_string(blocks)}, pool(blocks));
  for (std::int64_t const blocks : {std::int64_t{0}, std::int64_t{1}, most_blocks}) sizes.take("a pool", blocks, pool(blocks));
  auto const given = [](std::int32_t block) {
    return [block] {
      engine::BlockPool three(3);
      three.take();
      three.give(block);
      return three.free_blocks();
    };
  };
  for (std::int32_t const block : {-1, 1, 3}) sizes.refuse("give", {std::to_string(block), "3"}, given(block));
  sizes.take("give", 3, given(0));
}

}  // namespace

LawVerdict impossible_size_is_refused() {
  Law law{"impossible_size_is_refused", "cpu", "exact: positive, at most 2^31 - 1 blocks, at most 2^63 - 1 bytes"};
  law.floors = {{"impossible", 41}, {"possible", 12}};
  law.separates = {"pool/count_unchecked", "pool/extent_of_zero", "pool/windows_unchecked", "pool/one_past_32_bits"};
  return run_law(law, [](Draw&, Tally& tally) {
    Sizes sizes(tally);
    check_counts(sizes);
    check_extents(sizes);
    check_config(sizes);
    check_pool(sizes);
  });
}

}  // namespace redproof::properties
