// Power-of-two scale invariance through the whole forward pass, bit for bit: W_k (its bias, or k_norm) and k_scale times 2^a with W_q times
// 2^-a; W_v and v_scale times 2^b with W_o times 2^-b; a choice of a != b for each layer. Every byte of every page and every logit stays,
// subnormal and saturated elements included: multiplying by a power of two commutes with every rounding on the way.
#include <cmath>

#include "oracle/format.h"
#include "properties/generators/engine_fixture.h"
#include "properties/generators/page_image.h"
#include "properties/laws.h"
#include "properties/same_logits.h"

namespace redproof::properties {
namespace {

struct Outcome {
  std::vector<engine::Generation> generations;
  std::vector<std::vector<std::byte>> pages;  // [layers * 2]
};

Outcome outcome_of(const CheckpointOptions& options) {
  CheckpointDir const dir(options);
  auto loaded = load_directory(dir.path(), "fp8");
  if (loaded.refused) throw std::runtime_error(loaded.message);
  auto& engine = loaded.engine.front();
  auto generations = engine.generate(test_prompts(options.vocab, 7), 4, true, true);
  return {std::move(generations), cache_image(engine.cache())};
}

void count_codes(const std::vector<std::byte>& side, Tally& tally) {
  std::uint64_t subnormal = 0;
  std::uint64_t saturated = 0;
  std::uint64_t written = 0;
  for (auto const byte : side) {
    auto const code = std::to_integer<std::uint32_t>(byte);
    if (oracle::is_nan(oracle::e4m3fn, code)) continue;
    ++written;
    subnormal += oracle::is_subnormal(oracle::e4m3fn, code) ? 1 : 0;
    saturated += (code & 0x7F) == 0x7E ? 1 : 0;
  }
  tally.count("written bytes", written);
  tally.count("subnormal bytes", subnormal);
  tally.count("saturated bytes", saturated);
}

void check_pages(const Outcome& before, const Outcome& after, const std::string& inputs, Tally& tally) {
  for (std::size_t side = 0; side < before.pages.size(); ++side) {
    count_codes(before.pages[side], tally);
    for (std::size_t i = 0; i < before.pages[side].size(); ++i) {
      auto const one = std::to_integer<int>(before.pages[side][i]);
      auto const other = std::to_integer<int>(after.pages[side][i]);
      if (tally.equal(one == other)) {
        tally.witness({std::string(side % 2 == 0 ? "K" : "V") + " of layer " + std::to_string(side / 2) + ", byte " + std::to_string(i),
                       inputs, std::to_string(other), std::to_string(one)});
      }
    }
  }
}

CheckpointOptions base_options(Family family) {
  CheckpointOptions options;
  options.family = family;
  options.k_scales = {0.06F, 0.0005F, 0.5F};  // layer 1 saturates
  options.v_scales = {0.35F, 0.02F, 90.0F};   // layer 2 is subnormal
  if (family == Family::mistral) options.windows = {24, 24, 24};
  return options;
}

}  // namespace

LawVerdict model_is_scale_covariant() {
  Law law{"model_is_scale_covariant", "cpu", "exact: powers of two commute with every IEEE operation short of overflow and underflow"};
  law.floors = {
      {"written bytes", 100000}, {"subnormal bytes", 1000}, {"saturated bytes", 1000}, {"logits", 5000}, {"K gains", 8}, {"V gains", 8}};
  law.separates = {"read/v_with_k_scale", "read/k_with_v_scale", "read/v_scale_dropped"};
  law.cases = 1;
  return run_law(law, [](Draw& draw, Tally& tally) {
    for (auto const family : {Family::llama, Family::qwen2, Family::qwen3, Family::mistral}) {
      auto options = base_options(family);
      auto const before = outcome_of(options);
      std::string inputs = family_name(family);
      for (std::size_t layer = 0; layer < 3; ++layer) {
        int const a = static_cast<int>(draw.integer("a", 1, 3));
        int const b = -static_cast<int>(draw.integer("minus b", 1, 3));
        options.gains.push_back({a, b});
        options.k_scales[layer] = std::ldexp(*options.k_scales[layer], a);
        options.v_scales[layer] = std::ldexp(*options.v_scales[layer], b);
        tally.count("K gains");
        tally.count("V gains");
        inputs += ", layer " + std::to_string(layer) + " K 2^" + std::to_string(a) + " V 2^" + std::to_string(b);
      }
      auto const after = outcome_of(options);
      check_pages(before, after, inputs, tally);
      check_same_logits(after.generations, before.generations, inputs, tally);
    }
  });
}

}  // namespace redproof::properties
