// A bfloat16 cache of the same prompts is the truth for what an fp8 cache holds: on models whose o_proj is zero in every layer, each
// layer's K and V are the same bits in both runs, so every fp8 byte is the nearest code of the bfloat16 element at its own coordinates.
// How many elements tokens own follows from the prompts' lengths.
#include <algorithm>

#include "oracle/format.h"
#include "oracle/stored_byte.h"
#include "properties/generators/engine_fixture.h"
#include "properties/generators/kv_fixture.h"
#include "properties/generators/page_image.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using Prompts = std::vector<std::vector<std::int32_t>>;

constexpr std::int64_t generated_tokens = 3;

engine::Engine run_of(const CheckpointDir& dir, const std::string& flag, const Prompts& prompts) {
  auto loaded = load_directory(dir.path(), flag);
  if (loaded.refused) throw std::runtime_error(loaded.message);
  loaded.engine.front().generate(prompts, generated_tokens, false, true);
  return std::move(loaded.engine.front());
}

struct Side {
  const char* name;
  const engine::KvPages& fp8;
  const engine::KvPages& bf16;
  float scale;
};

// How many slots of each page the tokens of a run fill: all tokens of a prompt and all but the last that were generated, from each
// sequence's first page on. In ascending order, because which page a sequence takes is the engine's choice.
std::vector<std::int64_t> filled_slots(const Prompts& prompts, const engine::KvPages& pages) {
  std::vector<std::int64_t> filled;
  for (auto const& prompt : prompts) {
    std::int64_t tokens = std::ssize(prompt) + generated_tokens - 1;
    for (; tokens > 0; tokens -= pages.block_tokens) filled.push_back(std::min<std::int64_t>(tokens, pages.block_tokens));
  }
  filled.resize(static_cast<std::size_t>(pages.pages), 0);
  std::sort(filled.begin(), filled.end());
  return filled;
}

bool holds_a_number(const engine::KvPages& bf16, std::int64_t page, std::int32_t slot) {
  for (std::int32_t head = 0; head < bf16.kv_heads; ++head) {
    for (std::int32_t lane = 0; lane < bf16.head_dim; ++lane) {
      if (!oracle::is_nan(oracle::bf16, static_cast<std::uint32_t>(element_bits(bf16, {page, slot, head, lane})))) return true;
    }
  }
  return false;
}

std::vector<std::int64_t> slots_with_numbers(const engine::KvPages& bf16) {
  std::vector<std::int64_t> counts;
  for (std::int64_t page = 0; page < bf16.pages; ++page) {
    auto& count = counts.emplace_back(0);
    for (std::int32_t slot = 0; slot < bf16.block_tokens; ++slot) count += holds_a_number(bf16, page, slot) ? 1 : 0;
  }
  return counts;
}

void check_filled(const Side& side, std::vector<std::int64_t> observed, const std::vector<std::int64_t>& truth, const std::string& inputs,
                  Tally& tally) {
  std::sort(observed.begin(), observed.end());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    tally.count(truth[i] > 0 ? "filled pages" : "empty pages");
    if (tally.equal(observed[i] == truth[i])) {
      tally.witness({inputs + ", " + side.name + ", the page of rank " + std::to_string(i) + " of " + std::to_string(truth.size()),
                     "slots that hold a number in the bfloat16 run", std::to_string(observed[i]), std::to_string(truth[i])});
    }
  }
}

// The first slots of a page are owned. An element that no token owns is NaN in both caches, as a fresh page is.
void check_element(const Side& side, bool owned, const engine::KvCoordinate& at, const std::string& inputs, Tally& tally) {
  auto const code = static_cast<std::uint16_t>(element_bits(side.bf16, at));
  auto const observed = static_cast<std::uint32_t>(element_bits(side.fp8, at));
  tally.count(owned ? "owned elements" : "unowned elements");
  bool const number = !oracle::is_nan(oracle::bf16, code);
  bool const same = owned ? observed == oracle::stored_byte(code, side.scale) : oracle::is_nan(oracle::e4m3fn, observed);
  if (tally.equal(same && number == owned)) {
    tally.witness({inputs + ", " + coordinate_text(side.name, at), "bf16 " + hex(code, 4) + " scale " + std::to_string(side.scale),
                   hex(observed, 2), owned ? hex(oracle::stored_byte(code, side.scale), 2) : "NaN in both: no token owns it"});
  }
}

void check_side(const Side& side, const Prompts& prompts, const std::string& inputs, Tally& tally) {
  auto const& pages = side.bf16;
  auto const filled = slots_with_numbers(pages);
  check_filled(side, filled, filled_slots(prompts, pages), inputs, tally);
  for (std::int64_t page = 0; page < pages.pages; ++page) {
    for (std::int32_t slot = 0; slot < pages.block_tokens; ++slot) {
      bool const owned = slot < filled[static_cast<std::size_t>(page)];
      for (std::int32_t head = 0; head < pages.kv_heads; ++head) {
        for (std::int32_t lane = 0; lane < pages.head_dim; ++lane) check_element(side, owned, {page, slot, head, lane}, inputs, tally);
      }
    }
  }
}

}  // namespace

LawVerdict pages_match_bf16_run() {
  Law law{"pages_match_bf16_run", "cpu", "exact: byte = nearest_e4m3fn(RNE_float32(x / scale)) of the bfloat16 run's element"};
  law.floors = {{"owned elements", 150000}, {"unowned elements", 1000}, {"filled pages", 250}, {"empty pages", 1000}};
  law.separates = {"store/scale_x1_01", "both/scales_swapped", "store/fresh_page_is_zero"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const family : {Family::llama, Family::qwen2, Family::qwen3, Family::mistral}) {
      CheckpointOptions options;
      options.family = family;
      options.zero_o_proj = true;
      options.k_scales = {0.06F, 0.11F, 0.5F};
      options.v_scales = {0.35F, 0.02F, 0.07F};
      if (family == Family::mistral) options.windows = {24, 24, 24};
      CheckpointDir const dir(options);
      auto const prompts = test_prompts(options.vocab, 3);
      auto fp8 = run_of(dir, "fp8", prompts);
      auto bf16 = run_of(dir, "bfloat16", prompts);
      for (std::size_t i = 0; i < 3; ++i) {
        std::string const inputs = std::string(family_name(family)) + ", layer " + std::to_string(i);
        auto const& layer = fp8.cache().layer(i);
        auto const& truth = bf16.cache().layer(i);
        check_side({"K", layer.k, truth.k, *options.k_scales[i]}, prompts, inputs, tally);
        check_side({"V", layer.v, truth.v, *options.v_scales[i]}, prompts, inputs, tally);
      }
    }
  });
}

}  // namespace redproof::properties
