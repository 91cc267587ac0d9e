// An fp8 cache whose checkpoint declares no scale for some layer warns once a load, with the number of layers that have one, and inspect
// says so too; one whose tensors cover every layer does not, whatever
// their values; a bfloat16 cache never does, nor does a load that is refused.
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"
#include "properties/subjects/engine_program.h"

namespace redproof::properties {
namespace {

// covered: the layers of three that have a scale.
void check(const CheckpointOptions& options, const std::string& flag, int covered, const std::string& what, Tally& tally) {
  CheckpointDir const dir(options);
  std::size_t const truth = flag == "bfloat16" || covered == options.layers ? 0 : 1;
  std::string const counts = "k_scale and v_scale for " + std::to_string(covered) + " of 3 layers";
  for (int load = 0; load < 2; ++load) {  // every load warns for itself
    auto const loaded = load_directory(dir.path(), flag);
    std::size_t warnings = 0;
    std::size_t counted = 0;
    for (auto const& line : loaded.announcements) {
      warnings += line.find("scale") != std::string::npos ? 1 : 0;
      counted += line.find(counts) != std::string::npos ? 1 : 0;
    }
    tally.count(truth == 0 ? "silent loads" : "loads that warn");
    if (tally.equal(!loaded.refused && warnings == truth && counted == truth)) {
      tally.witness(
          {"load " + std::to_string(load + 1), what + ", --kv-cache-dtype " + flag,
           loaded.refused ? loaded.message : std::to_string(warnings) + " warnings, " + std::to_string(counted) + " of the right counts",
           std::to_string(truth) + ": " + counts});
    }
  }
  auto declared = options;
  if (flag == "fp8") declared.quantization_config = modelopt_fp8_inline;
  CheckpointDir const declaring(declared);
  auto const inspected = run_engine({"inspect", "--model", declaring.path().string()});
  tally.count("inspections");
  if (tally.equal(lines_with(inspected.out, "warning: ") == truth && lines_with(inspected.out, counts) == truth)) {
    tally.witness({"inspect", what + ", " + flag, inspected.out + inspected.err, std::to_string(truth) + ": " + counts});
  }
}

// A tensor of the model is missing, which shows after the scales were read.
void check_refused(CheckpointOptions options, const std::string& what, Tally& tally) {
  options.extra_config = R"({"num_hidden_layers": 4})";
  CheckpointDir const dir(options);
  auto const loaded = load_directory(dir.path(), "fp8");
  tally.count("refused loads");
  if (tally.equal(loaded.refused && loaded.announcements.empty())) {
    tally.witness({"load of 4 layers, weights of 3", what, std::to_string(loaded.announcements.size()) + " lines", "a refusal, 0 lines"});
  }
}

}  // namespace

LawVerdict warning_follows_coverage() {
  Law law{"warning_follows_coverage", "cpu", "exact: the number of warnings of one load"};
  law.floors = {{"silent loads", 12}, {"loads that warn", 8}, {"inspections", 10}, {"refused loads", 2}};
  law.separates = {"scales/k_alone_warns", "scales/warning_by_value", "scales/warning_deleted", "scales/warning_counts_the_others",
                   "scales/warned_before_weights"};
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
    check(none, "fp8", 0, "no scales", tally);
    check(k_alone, "fp8", 3, "K's scale alone in every layer: it serves both sides", tally);
    check(deprecated, "fp8", 3, "kv_scale in every layer: it serves both sides", tally);
    check(k_of_two, "fp8", 2, "K's scale alone in layers 0 and 1", tally);
    check(partial, "fp8", 2, "scales of layers 0 and 2", tally);
    check(first_only, "fp8", 1, "scales of layer 0", tally);
    check(ones, "fp8", 3, "scales of 1.0 in every layer", tally);
    check(all, "fp8", 3, "scales in every layer", tally);
    check(none, "bfloat16", 0, "no scales", tally);
    check(all, "bfloat16", 3, "scales in every layer", tally);
    check_refused(none, "no scales", tally);
    check_refused(all, "scales in the layers that are there", tally);
  });
}

}  // namespace redproof::properties
