// End to end, at power-of-two scales: an fp8 run's logits are, bit for bit, those of a bfloat16 run whose pages are rewritten after every
// store with decode(encode(x)) by the oracle, and they are not those of the plain bfloat16 run. Exact, since e4m3 times a power of two
// is a bfloat16 value, and a power of two commutes with the roundings of scores and outputs. The pages carry the same elements.
#include <cmath>

#include "oracle/format.h"
#include "oracle/stored_byte.h"
#include "properties/generators/engine_fixture.h"
#include "properties/generators/kv_fixture.h"
#include "properties/generators/page_image.h"
#include "properties/laws.h"
#include "properties/same_logits.h"

namespace redproof::properties {
namespace {

constexpr std::uint16_t unwritten = 0xFFFF;

// bfloat16 code -> bfloat16 code of decode(encode(x)) at one scale, filled as codes occur.
class Rewriting {
 public:
  explicit Rewriting(float scale) : scale_(scale), image_(1 << 16, -1) {}

  std::uint16_t operator()(std::uint16_t code) {
    auto& image = image_[code];
    if (image < 0) image = oracle::bf16_from_f32(static_cast<float>(oracle::read_value(oracle::stored_byte(code, scale_), scale_)));
    return static_cast<std::uint16_t>(image);
  }

 private:
  float scale_;
  std::vector<std::int32_t> image_;
};

void for_each_coordinate(const engine::KvPages& pages, const std::function<void(const engine::KvCoordinate&)>& visit) {
  for (std::int64_t page = 0; page < pages.pages; ++page) {
    for (std::int32_t slot = 0; slot < pages.block_tokens; ++slot) {
      for (std::int32_t head = 0; head < pages.kv_heads; ++head) {
        for (std::int32_t lane = 0; lane < pages.head_dim; ++lane) visit({page, slot, head, lane});
      }
    }
  }
}

void rewrite(const engine::KvPages& pages, Rewriting& rewriting) {
  for_each_coordinate(pages, [&](const engine::KvCoordinate& at) {
    auto const code = static_cast<std::uint16_t>(element_bits(pages, at));
    if (code != unwritten) set_element_bits(pages, at, rewriting(code));
  });
}

struct Run {
  std::vector<engine::Generation> generations;
  std::vector<engine::Engine> engine;
};

Run run_of(const CheckpointDir& dir, const std::string& flag, const CheckpointOptions& options, const engine::Observers& observers) {
  auto loaded = load_directory(dir.path(), flag, observers);
  if (loaded.refused) throw std::runtime_error(loaded.message);
  auto prompts = test_prompts(options.vocab, 13);
  auto generations = loaded.engine.front().generate(prompts, 5, true, true);
  return {std::move(generations), std::move(loaded.engine)};
}

std::uint64_t differing_logits(const Run& a, const Run& b) {
  std::uint64_t differ = 0;
  for (std::size_t prompt = 0; prompt < a.generations.size(); ++prompt) {
    auto const& one = a.generations[prompt].logits;
    auto const& other = b.generations.at(prompt).logits;
    for (std::size_t i = 0; i < one.front().size(); ++i) differ += one.front()[i] != other.at(0).at(i) ? 1 : 0;
  }
  return differ;
}

void check_pages(const char* side, const engine::KvPages& fp8, const engine::KvPages& bf16, float scale, const std::string& inputs,
                 Tally& tally) {
  for_each_coordinate(bf16, [&](const engine::KvCoordinate& at) {
    auto const code = static_cast<std::uint32_t>(element_bits(bf16, at));
    if (code == unwritten) return;
    auto const byte = static_cast<std::uint8_t>(element_bits(fp8, at));
    tally.count("stored elements");
    if (tally.within(std::fabs(oracle::read_value(byte, scale) - oracle::value_of(oracle::bf16, code)), 0.0)) {
      tally.witness({inputs + ", " + coordinate_text(side, at), "rewritten bf16 " + hex(code, 4), hex(byte, 2),
                     std::to_string(oracle::value_of(oracle::bf16, code))});
    }
  });
}

void check_family(Family family, Tally& tally) {
  CheckpointOptions options;
  options.family = family;
  options.k_scales = {0.0625F, 0.125F, 0.5F};
  options.v_scales = {0.25F, 0.03125F, 2.0F};
  if (family == Family::mistral) options.windows = {24, 24, 24};
  CheckpointDir const dir(options);
  std::vector<Rewriting> k_rewriting;
  std::vector<Rewriting> v_rewriting;
  for (std::size_t i = 0; i < options.k_scales.size(); ++i) {
    k_rewriting.emplace_back(*options.k_scales[i]);
    v_rewriting.emplace_back(*options.v_scales[i]);
  }
  engine::Observers observers;
  observers.after_store = [&](std::int32_t layer, engine::KvLayer& pages) {
    rewrite(pages.k, k_rewriting[static_cast<std::size_t>(layer)]);
    rewrite(pages.v, v_rewriting[static_cast<std::size_t>(layer)]);
  };
  std::string const inputs = family_name(family);
  auto fp8 = run_of(dir, "fp8", options, {});
  auto truth = run_of(dir, "bfloat16", options, observers);
  auto const plain = run_of(dir, "bfloat16", options, {});
  check_same_logits(fp8.generations, truth.generations, inputs, tally);
  tally.count("logits that fp8 moves", differing_logits(fp8, plain));
  for (std::size_t i = 0; i < options.k_scales.size(); ++i) {
    auto const& observed = fp8.engine.front().cache().layer(i);
    auto const& wanted = truth.engine.front().cache().layer(i);
    check_pages("K", observed.k, wanted.k, *options.k_scales[i], inputs + ", layer " + std::to_string(i), tally);
    check_pages("V", observed.v, wanted.v, *options.v_scales[i], inputs + ", layer " + std::to_string(i), tally);
  }
}

}  // namespace

LawVerdict logits_match_rewritten_bf16_run() {
  Law law{"logits_match_rewritten_bf16_run", "cpu", "exact: e4m3 times a power of two is a bfloat16 value"};
  law.floors = {{"logits", 8000}, {"logits that fp8 moves", 1000}, {"stored elements", 70000}};
  law.separates = {"read/v_from_k_page", "read/v_scale_dropped", "read/seam_reverted"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const family : {Family::llama, Family::qwen2, Family::qwen3, Family::mistral}) check_family(family, tally);
  });
}

}  // namespace redproof::properties
