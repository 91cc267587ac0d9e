// A bfloat16 cache of the same prompts is the truth for what an fp8 cache holds: on models whose o_proj is zero in every layer, each
// layer's K and V are the same bits in both runs, so every fp8 byte is the nearest code of the bfloat16 element at its own coordinates.
#include "oracle/format.h"
#include "oracle/stored_byte.h"
#include "properties/generators/engine_fixture.h"
#include "properties/generators/kv_fixture.h"
#include "properties/generators/page_image.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

engine::Engine run_of(const CheckpointDir& dir, const std::string& flag, const CheckpointOptions& options) {
  auto loaded = load_directory(dir.path(), flag);
  if (loaded.refused) throw std::runtime_error(loaded.message);
  loaded.engine.front().generate(test_prompts(options.vocab, 3), 3, false, true);
  return std::move(loaded.engine.front());
}

struct Side {
  const char* name;
  const engine::KvPages& fp8;
  const engine::KvPages& bf16;
  float scale;
};

// An element that no token owns is NaN in both caches, as a fresh page is.
void check_element(const Side& side, const engine::KvCoordinate& at, const std::string& inputs, Tally& tally) {
  auto const code = static_cast<std::uint16_t>(element_bits(side.bf16, at));
  auto const observed = static_cast<std::uint32_t>(element_bits(side.fp8, at));
  bool const owned = !oracle::is_nan(oracle::bf16, code);
  tally.count(owned ? "owned elements" : "unowned elements");
  bool const same = owned ? observed == oracle::stored_byte(code, side.scale) : oracle::is_nan(oracle::e4m3fn, observed);
  if (tally.equal(same)) {
    tally.witness({inputs + ", " + coordinate_text(side.name, at), "bf16 " + hex(code, 4) + " scale " + std::to_string(side.scale),
                   hex(observed, 2), owned ? hex(oracle::stored_byte(code, side.scale), 2) : "NaN: no token owns it"});
  }
}

void check_side(const Side& side, const std::string& inputs, Tally& tally) {
  auto const& pages = side.bf16;
  for (std::int64_t page = 0; page < pages.pages; ++page) {
    for (std::int32_t slot = 0; slot < pages.block_tokens; ++slot) {
      for (std::int32_t head = 0; head < pages.kv_heads; ++head) {
        for (std::int32_t lane = 0; lane < pages.head_dim; ++lane) check_element(side, {page, slot, head, lane}, inputs, tally);
      }
    }
  }
}

}  // namespace

LawVerdict pages_match_bf16_run() {
  Law law{"pages_match_bf16_run", "cpu", "exact: byte = nearest_e4m3fn(RNE_float32(x / scale)) of the bfloat16 run's element"};
  law.floors = {{"owned elements", 70000}, {"unowned elements", 1000}};
  law.separates = {"store/scale_x1_01", "both/scales_swapped"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const family : {Family::llama, Family::qwen2, Family::qwen3, Family::mistral}) {
      CheckpointOptions options;
      options.family = family;
      options.zero_o_proj = true;
      options.k_scales = {0.06F, 0.11F, 0.5F};
      options.v_scales = {0.35F, 0.02F, 0.07F};
      if (family == Family::mistral) options.windows = {24, 24, 24};
      CheckpointDir const dir(options);
      auto fp8 = run_of(dir, "fp8", options);
      auto bf16 = run_of(dir, "bfloat16", options);
      for (std::size_t i = 0; i < 3; ++i) {
        std::string const inputs = std::string(family_name(family)) + ", layer " + std::to_string(i);
        auto const& layer = fp8.cache().layer(i);
        auto const& truth = bf16.cache().layer(i);
        check_side({"K", layer.k, truth.k, *options.k_scales[i]}, inputs, tally);
        check_side({"V", layer.v, truth.v, *options.v_scales[i]}, inputs, tally);
      }
    }
  });
}

}  // namespace redproof::properties
