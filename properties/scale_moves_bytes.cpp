// A scale is no dead knob: doubling one layer's scale of one side moves the bytes of exactly that side of that layer, on a model whose
// attention output is zero, so that no other layer can see the change.
#include <fmt/format.h>

#include "properties/generators/engine_fixture.h"
#include "properties/generators/page_image.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int32_t layers = 3;

std::vector<std::vector<std::byte>> image_of(const CheckpointOptions& options) {
  CheckpointDir const dir(options);
  auto loaded = load_directory(dir.path(), "fp8");
  if (loaded.refused) throw std::runtime_error(loaded.message);
  auto& engine = loaded.engine.front();
  engine.generate(test_prompts(options.vocab, 5), 2, false, true);
  return cache_image(engine.cache());
}

}  // namespace

LawVerdict scale_moves_bytes() {
  Law law{"scale_moves_bytes", "cpu", "exact: which sides of which layers differ in any byte"};
  law.floors = {{"sides that move", 6}, {"sides that stay", 30}};
  law.separates = {"scales/layer_0_for_all", "both/scales_dropped"};
  return run_law(law, [](Draw&, Tally& tally) {
    CheckpointOptions options;
    options.layers = layers;
    options.zero_o_proj = true;
    options.k_scales = {0.06F, 0.11F, 0.5F};
    options.v_scales = {0.35F, 0.02F, 0.07F};
    auto const before = image_of(options);
    for (std::size_t moved = 0; moved < 2 * layers; ++moved) {
      auto changed = options;
      auto& scale = moved % 2 == 0 ? changed.k_scales[moved / 2] : changed.v_scales[moved / 2];
      scale = *scale * 2.0F;
      auto const after = image_of(changed);
      for (std::size_t side = 0; side < before.size(); ++side) {
        bool const moves = before[side] != after[side];
        tally.count(side == moved ? "sides that move" : "sides that stay");
        if (tally.equal(moves == (side == moved))) {
          tally.witness({fmt::format("{} of layer {}", side % 2 == 0 ? "K" : "V", side / 2),
                         fmt::format("doubled: {} of layer {}", moved % 2 == 0 ? "k_scale" : "v_scale", moved / 2),
                         moves ? "bytes moved" : "no byte moved", side == moved ? "bytes moved" : "no byte moved"});
        }
      }
    }
  });
}

}  // namespace redproof::properties
