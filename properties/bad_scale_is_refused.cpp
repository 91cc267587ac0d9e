// A scale that is not finite, not positive, not one number, there for V alone, or said differently under two names is refused by its
// tensor's name; a bfloat16 cache, which uses no scale, takes the same checkpoint.
#include <limits>

#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

void check_refused(const CheckpointOptions& options, const std::string& tensor, const std::string& what, Tally& tally) {
  CheckpointDir const dir(options);
  auto const loaded = load_directory(dir.path(), "fp8");
  tally.count("bad scales");
  bool const named = loaded.message.find(tensor) != std::string::npos;
  if (tally.equal(loaded.refused && named))
    tally.witness({tensor, what, loaded.refused ? loaded.message : "loaded", "a refusal that names " + tensor});
  auto const ignored = load_directory(dir.path(), "bfloat16");
  tally.count("ignored by bfloat16");
  if (tally.equal(!ignored.refused)) tally.witness({tensor, what + ", bfloat16 cache", ignored.message, "loaded"});
}

// Two names of one scale, in the last layer, that disagree in its last bit.
void check_disagreement(const char* side, const std::string& first, const std::string& second, Tally& tally) {
  std::string const attention = "model.layers.2.self_attn.";
  CheckpointOptions options;
  options.k_scales = {0.5F, 0.5F};
  options.v_scales = {0.25F, 0.25F};
  options.extra_tensors = {{attention + first, {}, {0.5F}, engine::DType::f32},
                           {attention + second, {}, {0x1.000002p-1F}, engine::DType::f32}};
  if (*side == 'V') options.extra_tensors.push_back({attention + "attn.k_scale", {}, {0.5F}, engine::DType::f32});
  tally.count("names that disagree");
  check_refused(options, "layers.2.self_attn." + second, std::string(side) + " under two names: " + first + " and " + second, tally);
}

}  // namespace

LawVerdict bad_scale_is_refused() {
  Law law{"bad_scale_is_refused", "cpu", "exact: refused or not, and the name in the message"};
  law.floors = {{"bad scales", 18}, {"names that disagree", 4}, {"ignored by bfloat16", 18}};
  law.separates = {"scales/disagreement_taken", "scales/finite_unchecked", "scales/positive_unchecked"};
  return run_law(law, [](Draw&, Tally& tally) {
    float const infinity = std::numeric_limits<float>::infinity();
    for (float const bad : {0.0F, -0.0F, -0.5F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
      CheckpointOptions options;
      options.k_scales = {0.5F, bad, 0.5F};
      options.v_scales = {0.25F, 0.25F, 0.25F};
      check_refused(options, "layers.1.self_attn.attn.k_scale", std::to_string(bad), tally);
      options.k_scales = {0.5F, 0.5F, 0.5F};
      options.v_scales = {0.25F, 0.25F, bad};
      check_refused(options, "layers.2.self_attn.attn.v_scale", std::to_string(bad), tally);
    }
    CheckpointOptions alone;
    alone.v_scales = {0.25F, 0.25F, 0.25F};
    check_refused(alone, "layers.0.self_attn.attn.v_scale", "V alone", tally);
    CheckpointOptions heads;
    heads.extra_tensors = {{"model.layers.0.self_attn.attn.k_scale", {2}, {0.5F, 0.25F}, engine::DType::f32}};
    check_refused(heads, "layers.0.self_attn.attn.k_scale", "one a head", tally);
    check_disagreement("K", "attn.k_scale", "k_scale", tally);
    check_disagreement("K", "k_proj.k_scale", "kv_scale", tally);
    check_disagreement("V", "attn.v_scale", "v_proj.v_scale", tally);
    check_disagreement("V", "qkv_proj.v_scale", "v_cache.scale", tally);
  });
}

}  // namespace redproof::properties
