// An fp8 cache whose checkpoint declares no scale for some layer warns once a load; one whose tensors cover every layer does not, whatever
// their values; a bfloat16 cache never does.
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

void check(const CheckpointOptions& options, const std::string& flag, std::size_t truth, const std::string& what, Tally& tally) {
  CheckpointDir const dir(options);
  for (int load = 0; load < 2; ++load) {  // every load warns for itself
    auto const loaded = load_directory(dir.path(), flag);
    std::size_t warnings = 0;
    for (auto const& line : loaded.announcements) warnings += line.find("scale") != std::string::npos ? 1 : 0;
    tally.count(truth == 0 ? "silent loads" : "loads that warn");
    if (tally.equal(!loaded.refused && warnings == truth)) {
      tally.witness({"load " + std::to_string(load + 1), what + ", --kv-cache-dtype " + flag,
                     loaded.refused ? loaded.message : std::to_string(warnings) + " warnings", std::to_string(truth) + " warnings"});
    }
  }
}

}  // namespace

LawVerdict warning_follows_coverage() {
  Law law{"warning_follows_coverage", "cpu", "exact: the number of warnings of one load"};
  law.floors = {{"silent loads", 12}, {"loads that warn", 8}};
  law.separates = {"scales/k_alone_warns", "scales/warning_by_value", "scales/warning_deleted"};
  return run_law(law, [](Draw&, Tally& tally) {
    CheckpointOptions none;
    CheckpointOptions partial;
    partial.k_scales = {0.5F, std::nullopt, 0.5F};
    partial.v_scales = {0.25F, std::nullopt, 0.25F};
    CheckpointOptions first_only;
    first_only.k_scales = {0.5F};
    first_only.v_scales = {0.25F};
    CheckpointOptions ones;
    ones.k_scales = {1.0F, 1.0F, 1.0F};
    ones.v_scales = {1.0F, 1.0F, 1.0F};
    CheckpointOptions all;
    all.k_scales = {0.5F, 0.06F, 0.7F};
    all.v_scales = {0.25F, 0.35F, 3.0F};
    CheckpointOptions k_alone = all;
    k_alone.v_scales.clear();
    CheckpointOptions deprecated = k_alone;
    deprecated.scale_names = ScaleNames::kv_scale;
    CheckpointOptions k_of_two = k_alone;
    k_of_two.k_scales.pop_back();
    check(none, "fp8", 1, "no scales", tally);
    check(k_alone, "fp8", 0, "K's scale alone in every layer: it serves both sides", tally);
    check(deprecated, "fp8", 0, "kv_scale in every layer: it serves both sides", tally);
    check(k_of_two, "fp8", 1, "K's scale alone in layers 0 and 1", tally);
    check(partial, "fp8", 1, "scales of layers 0 and 2", tally);
    check(first_only, "fp8", 1, "scales of layer 0", tally);
    check(ones, "fp8", 0, "scales of 1.0 in every layer", tally);
    check(all, "fp8", 0, "scales in every layer", tally);
    check(none, "bfloat16", 0, "no scales", tally);
    check(all, "bfloat16", 0, "scales in every layer", tally);
  });
}

}  // namespace redproof::properties
