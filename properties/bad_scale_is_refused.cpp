// A scale that is not finite, not positive, not one number, not of a dtype that is read, there for V alone, or said differently under two
// names is refused by its tensor's name, beside a good one too; a bfloat16 cache, which uses no scale, takes the same checkpoint.
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

// No number at all, or one a head whose first agrees with the good one.
const std::vector<ExtraTensor>& misshapen() {
  static const std::vector<ExtraTensor> all = {
      {"of no element", {0}, {}},
      {"one a head", {2}, {0.5F, 0.25F}},
      {"one a head, equal", {2}, {0.5F, 0.5F}},
      {"one a head, in a column", {2, 1}, {0.5F, 0.5F}},
      {"of no element, in two axes", {1, 0}, {}},
  };
  return all;
}

// Bytes of a dtype that nobody reads.
const std::vector<ExtraTensor>& unreadable() {
  static const std::vector<ExtraTensor> all = {
      {"F64", {1}, {0.0F, 1.75F}, engine::DType::f32, "F64"},
      {"I32", {}, {0.5F}, engine::DType::f32, "I32"},
      {"I16", {1}, {0.5F}, engine::DType::f16, "I16"},
      {"F8_E4M3", {2}, {0.5F}, engine::DType::f16, "F8_E4M3"},
  };
  return all;
}

// A bad tensor under this name, alone (V: beside K's scale) and with a good one under a name that is looked at before and one that is
// looked at after it.
void check_bad_tensor(ExtraTensor bad, const std::string& name, Tally& tally) {
  std::string const attention = "model.layers.1.self_attn.";
  std::string const side = name.find("k_scale") != std::string::npos ? "k" : "v";
  std::string const what = bad.name;
  bad.name = attention + name;
  for (std::string const& beside : {std::string(), "attn." + side + "_scale", side + "_cache.scale"}) {
    CheckpointOptions options;
    options.extra_tensors = {bad};
    if (!beside.empty()) options.extra_tensors.push_back({attention + beside, {}, {0.5F}});
    if (side == "v") options.extra_tensors.push_back({attention + "attn.k_scale", {}, {0.5F}});
    tally.count(beside.empty() ? "bad tensors alone" : "bad tensors beside a good one");
    check_refused(options, "layers.1.self_attn." + name, what + (beside.empty() ? "" : ", beside " + beside), tally);
  }
}

}  // namespace

LawVerdict bad_scale_is_refused() {
  Law law{"bad_scale_is_refused", "cpu", "exact: refused or not, and the name in the message"};
  law.floors = {{"bad scales", 71},
                {"names that disagree", 4},
                {"ignored by bfloat16", 71},
                {"bad tensors alone", 18},
                {"bad tensors beside a good one", 36}};
  law.separates = {"scales/disagreement_taken", "scales/finite_unchecked",      "scales/positive_unchecked",
                   "scales/no_element_taken",   "scales/second_name_unchecked", "scales/unreadable_ignored"};
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
    for (const char* const name : {"k_proj.k_scale", "qkv_proj.v_scale"}) {
      for (auto const& bad : misshapen()) check_bad_tensor(bad, name, tally);
      for (auto const& bad : unreadable()) check_bad_tensor(bad, name, tally);
    }
    check_disagreement("K", "attn.k_scale", "k_scale", tally);
    check_disagreement("K", "k_proj.k_scale", "kv_scale", tally);
    check_disagreement("V", "attn.v_scale", "v_proj.v_scale", tally);
    check_disagreement("V", "qkv_proj.v_scale", "v_cache.scale", tally);
  });
}

}  // namespace redproof::properties
