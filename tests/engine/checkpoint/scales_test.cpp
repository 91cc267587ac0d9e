#include "engine/checkpoint/scales.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {
namespace {

using engine::Checkpoint;
using engine::CheckpointScales;
using engine::KvScaleOrigin;
using engine::KvStorage;

const std::string layer0 = "model.layers.0.self_attn.";
const std::string layer1 = "model.layers.1.self_attn.";

CheckpointScales load(std::vector<RawTensor> tensors, std::int32_t layers = 1, KvStorage storage = KvStorage::fp8_e4m3) {
  TemporaryFolder const folder;
  tensors.push_back({"model.norm.weight", "F32", {1}, f32_bytes({1.0F})});
  folder.write("model.safetensors", safetensors(tensors));
  return engine::load_kv_scales(Checkpoint::open(folder.path()), layers, storage);
}

std::string refusal_of_scales(const std::vector<RawTensor>& tensors) {
  return refusal_of([&] { load(tensors); });
}

void check_scales(const CheckpointScales& loaded, float k, float v, KvScaleOrigin origin) {
  CHECK(loaded.layers.at(0).scales.k == k);
  CHECK(loaded.layers.at(0).scales.v == v);
  CHECK(loaded.layers.at(0).origin == origin);
}

}  // namespace

TEST_CASE("each name of K's scale is one, and K's alone serves both sides", "[scales]") {
  for (const char* const name : {"attn.k_scale", "k_scale", "k_proj.k_scale", "v_proj.k_scale", "qkv_proj.k_scale", "qkqkv_proj.k_scale",
                                 "k_cache.scale", "kv_scale"}) {
    INFO(name);
    check_scales(load({f32_scalar(layer0 + name, 0.5F)}), 0.5F, 0.5F, KvScaleOrigin::k_for_both);
  }
}

TEST_CASE("each name of V's scale is one, beside K's", "[scales]") {
  for (const char* const name :
       {"attn.v_scale", "v_scale", "v_proj.v_scale", "k_proj.v_scale", "qkv_proj.v_scale", "qkqkv_proj.v_scale", "v_cache.scale"}) {
    INFO(name);
    check_scales(load({f32_scalar(layer0 + name, 0.25F), f32_scalar(layer0 + "k_scale", 0.5F)}), 0.5F, 0.25F, KvScaleOrigin::checkpoint);
  }
}

TEST_CASE("names that upstream drops are no scales", "[scales]") {
  for (const char* const name : {"attn.kv_scale", "q_proj.q_scale", "q_scale", "attn.q_scale", "K_scale", "k_proj.output_scale",
                                 "prob_scale", "k_proj.weight_scale", "q.scale", "k.scale", "k_zero_point"}) {
    INFO(name);
    check_scales(load({f32_scalar(layer0 + name, 0.5F)}), 1.0F, 1.0F, KvScaleOrigin::undeclared);
  }
  check_scales(load({f32_scalar("model.layers.0.mlp.k_scale", 0.5F)}), 1.0F, 1.0F, KvScaleOrigin::undeclared);
}

TEST_CASE("V's scale without K's is refused with the tensor's name", "[scales]") {
  std::string const message = refusal_of_scales({f32_scalar(layer0 + "v_scale", 0.5F)});
  CHECK(message.find("model.safetensors: tensor model.layers.0.self_attn.v_scale: a scale for V, but none for K") != std::string::npos);
}

TEST_CASE("the deprecated kv_scale serves K, and V where V has none", "[scales]") {
  check_scales(load({f32_scalar(layer0 + "kv_scale", 0.5F)}), 0.5F, 0.5F, KvScaleOrigin::k_for_both);
  check_scales(load({f32_scalar(layer0 + "kv_scale", 0.5F), f32_scalar(layer0 + "v_scale", 0.25F)}), 0.5F, 0.25F,
               KvScaleOrigin::checkpoint);
}

TEST_CASE("no scales run at 1", "[scales]") { check_scales(load({}), 1.0F, 1.0F, KvScaleOrigin::undeclared); }

TEST_CASE("every layer has its own scales", "[scales]") {
  CheckpointScales const loaded = load({f32_scalar(layer0 + "k_scale", 0.5F), f32_scalar(layer0 + "v_scale", 0.25F),
                                        f32_scalar(layer1 + "k_scale", 3.0F), f32_scalar(layer1 + "v_scale", 5.0F)},
                                       2);
  check_scales(loaded, 0.5F, 0.25F, KvScaleOrigin::checkpoint);
  CHECK(loaded.layers.at(1).scales.k == 3.0F);
  CHECK(loaded.layers.at(1).scales.v == 5.0F);
}

TEST_CASE("the warning comes from the tensors that are there, never from their values", "[scales]") {
  CHECK(load({f32_scalar(layer0 + "k_scale", 1.0F), f32_scalar(layer0 + "v_scale", 1.0F)}).warning.empty());
  CHECK(load({f32_scalar(layer0 + "k_scale", 1.0F)}).warning.empty());
  CHECK(load({}, 3).warning.find("0 of 3 layers") != std::string::npos);
  CHECK(load({f32_scalar(layer1 + "k_scale", 0.5F)}, 3).warning.find("1 of 3 layers") != std::string::npos);
  CHECK(load({f32_scalar(layer0 + "k_scale", 0.5F), f32_scalar("model.layers.7.self_attn.k_scale", 0.5F)}).warning.empty());
}

TEST_CASE("scales are read in three dtypes and any shape of one element", "[scales]") {
  check_scales(load({{layer0 + "k_scale", "BF16", {1}, bf16_bytes({0.5F})}, {layer0 + "v_scale", "F16", {1, 1}, u16_bytes({0x3400})}}),
               0.5F, 0.25F, KvScaleOrigin::checkpoint);
  check_scales(load({{layer0 + "k_scale", "F32", {1, 1, 1}, f32_bytes({0.06F})}}), 0.06F, 0.06F, KvScaleOrigin::k_for_both);
}

TEST_CASE("a scale of several elements is per head and refused by name", "[scales]") {
  for (const RawTensor& tensor :
       {RawTensor{layer0 + "k_scale", "F32", {2}, f32_bytes({0.5F, 0.5F})}, RawTensor{layer0 + "k_scale", "F32", {0}, ""},
        RawTensor{layer0 + "k_scale", "F32", {2, 1}, f32_bytes({0.5F, 0.5F})}}) {
    CHECK(refusal_of_scales({tensor}).find("tensor model.layers.0.self_attn.k_scale: more or less than one element: per-head") !=
          std::string::npos);
  }
}

TEST_CASE("a scale of another dtype is refused by name", "[scales]") {
  std::string const message = refusal_of_scales({{layer0 + "k_scale", "F64", {}, std::string(8, '\x3f')}});
  CHECK(message.find("tensor model.layers.0.self_attn.k_scale: dtype F64 is not read") != std::string::npos);
}

TEST_CASE("non-finite and non-positive scales are refused with the tensor's name, on either side", "[scales]") {
  float const infinity = std::numeric_limits<float>::infinity();
  for (float const bad : {std::nanf(""), infinity, -infinity, 0.0F, -0.0F, -1.0F, -0.5F}) {
    INFO(bad);
    std::string const why = std::isfinite(bad) ? "is not positive" : "is not finite";
    for (const char* const side : {"k_scale", "v_scale"}) {
      float const k = side == std::string("k_scale") ? bad : 0.5F;
      float const v = side == std::string("v_scale") ? bad : 0.5F;
      std::string const message = refusal_of_scales({f32_scalar(layer0 + "k_scale", k), f32_scalar(layer0 + "v_scale", v)});
      CHECK(message.find("model.safetensors: tensor " + layer0 + side + ": scale ") != std::string::npos);
      CHECK(message.find(why) != std::string::npos);
    }
  }
  CHECK(refusal_of_scales({{layer0 + "k_scale", "F16", {}, u16_bytes({0x7C00})}}).find("is not finite") != std::string::npos);
  CHECK(refusal_of_scales({{layer0 + "k_scale", "BF16", {}, u16_bytes({0x8000})}}).find("is not positive") != std::string::npos);
}

TEST_CASE("the smallest positive scales are scales", "[scales]") {
  float const smallest = std::numeric_limits<float>::denorm_min();
  check_scales(load({f32_scalar(layer0 + "k_scale", smallest)}), smallest, smallest, KvScaleOrigin::k_for_both);
  check_scales(load({{layer0 + "k_scale", "F16", {}, u16_bytes({1})}}), std::ldexp(1.0F, -24), std::ldexp(1.0F, -24),
               KvScaleOrigin::k_for_both);
}

TEST_CASE("two names of one scale must agree", "[scales]") {
  check_scales(load({f32_scalar(layer0 + "k_scale", 0.5F), f32_scalar(layer0 + "attn.k_scale", 0.5F)}), 0.5F, 0.5F,
               KvScaleOrigin::k_for_both);
  std::string const message = refusal_of_scales({f32_scalar(layer0 + "k_scale", 0.5F), f32_scalar(layer0 + "attn.k_scale", 0.25F)});
  CHECK(message.find("tensor " + layer0 + "k_scale: scale 0.5, but " + layer0 + "attn.k_scale says 0.25") != std::string::npos);
  CHECK(refusal_of_scales({f32_scalar(layer0 + "k_scale", 0.5F), f32_scalar(layer0 + "kv_scale", 0.25F)}).find("kv_scale: scale 0.25") !=
        std::string::npos);
}

TEST_CASE("a bfloat16 cache reads no scale and warns of none", "[scales]") {
  CheckpointScales const loaded =
      load({f32_scalar(layer0 + "k_scale", -1.0F), f32_scalar(layer1 + "v_scale", std::nanf(""))}, 2, KvStorage::bfloat16);
  check_scales(loaded, 1.0F, 1.0F, KvScaleOrigin::unused);
  CHECK(loaded.layers.size() == 2);
  CHECK(loaded.warning.empty());
}

}  // namespace redproof::tests
