#include "properties/generators/checkpoint.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>

#include "properties/generators/checkpoint_tensors.h"
#include "tests/catch.h"

using namespace redproof::properties;
using redproof::engine::DType;

namespace {

std::map<std::string, StoredTensor> by_name(const CheckpointOptions& options) {
  std::map<std::string, StoredTensor> tensors;
  for (StoredTensor& tensor : checkpoint_tensors(options)) tensors.emplace(tensor.name, std::move(tensor));
  return tensors;
}

std::vector<float> bf16_values(const StoredTensor& tensor) {
  std::vector<float> values(tensor.bytes.size() / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, tensor.bytes.data() + 2 * i, sizeof half);
    values[i] = std::bit_cast<float>(std::uint32_t{half} << 16U);
  }
  return values;
}

bool all_zero(const StoredTensor& tensor) {
  return std::all_of(tensor.bytes.begin(), tensor.bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

// Names of the tensors whose bytes differ.
std::vector<std::string> differences(const CheckpointOptions& a, const CheckpointOptions& b) {
  const auto left = by_name(a), right = by_name(b);
  std::vector<std::string> names;
  for (const auto& [name, tensor] : left) {
    if (tensor.bytes != right.at(name).bytes) names.push_back(name);
  }
  return names;
}

}  // namespace

TEST_CASE("the same options give the same bytes, another seed gives others", "[checkpoint]") {
  CheckpointOptions other;
  other.seed = 2;
  CHECK(differences({}, {}).empty());
  CHECK(differences({}, other).size() == by_name({}).size());
}

TEST_CASE("a gain changes the tensors it names, by its power of two and nothing else", "[checkpoint]") {
  CheckpointOptions gained;
  gained.family = Family::qwen2;
  gained.gains = {{0, 0}, {3, -2}};
  CheckpointOptions plain = gained;
  plain.gains = {};
  const std::string prefix = "model.layers.1.self_attn.";
  const std::map<std::string, int> shifts{{"k_proj.bias", 3},    {"k_proj.weight", 3}, {"o_proj.weight", 2}, {"q_proj.bias", -3},
                                          {"q_proj.weight", -3}, {"v_proj.bias", -2},  {"v_proj.weight", -2}};
  std::vector<std::string> names;
  for (const auto& [name, shift] : shifts) names.push_back(prefix + name);
  CHECK(differences(plain, gained) == names);
  const auto before = by_name(plain), after = by_name(gained);
  for (const auto& [name, shift] : shifts) {
    auto values = bf16_values(before.at(prefix + name));
    for (float& value : values) value = std::ldexp(value, shift);
    CHECK(values == bf16_values(after.at(prefix + name)));
  }
}

TEST_CASE("where heads are normed a gain of K goes to the norms", "[checkpoint]") {
  CheckpointOptions gained;
  gained.family = Family::qwen3;
  gained.gains = {{2, 0}};
  CheckpointOptions plain = gained;
  plain.gains = {};
  CHECK(differences(plain, gained) ==
        std::vector<std::string>{"model.layers.0.self_attn.k_norm.weight", "model.layers.0.self_attn.q_norm.weight"});
}

TEST_CASE("zero_o_proj zeroes every o_proj but the one that is kept", "[checkpoint]") {
  CheckpointOptions options;
  options.zero_o_proj = true;
  options.keep_o_proj_of_layer = 1;
  CHECK(differences({}, options) ==
        std::vector<std::string>{"model.layers.0.self_attn.o_proj.weight", "model.layers.2.self_attn.o_proj.weight"});
  CHECK(all_zero(by_name(options).at("model.layers.0.self_attn.o_proj.weight")));
}

TEST_CASE("every dtype stores the same values", "[checkpoint]") {
  CheckpointOptions half;
  half.dtype = DType::f16;
  CheckpointOptions full;
  full.dtype = DType::f32;
  const auto halves = by_name(half), floats = by_name(full), brains = by_name({});
  for (const auto& [name, tensor] : brains) {
    const auto values = bf16_values(tensor);
    CHECK(stored_bytes(name, values, DType::f32) == floats.at(name).bytes);
    CHECK(stored_bytes(name, values, DType::f16) == halves.at(name).bytes);
  }
}

TEST_CASE("f16 bytes are those of the format, and what has no exact form is refused", "[checkpoint]") {
  const auto bits = [](float value) {
    std::uint16_t half = 0;
    std::memcpy(&half, stored_bytes("x", {value}, DType::f16).data(), sizeof half);
    return half;
  };
  CHECK(bits(1.0F) == 0x3c00);
  CHECK(bits(-2.5F) == 0xc100);
  CHECK(bits(65504.0F) == 0x7bff);
  CHECK(bits(std::ldexp(1.0F, -14)) == 0x0400);
  CHECK(bits(std::ldexp(1023.0F, -24)) == 0x03ff);
  CHECK(bits(std::ldexp(1.0F, -24)) == 0x0001);
  CHECK(bits(0.0F) == 0);
  CHECK_THROWS_AS(bits(65536.0F), std::invalid_argument);
  CHECK_THROWS_AS(bits(std::ldexp(1.0F, -25)), std::invalid_argument);
  CHECK_THROWS_AS(bits(1.0F + std::ldexp(1.0F, -11)), std::invalid_argument);
  CHECK_THROWS_AS(stored_bytes("x", {1.0F + std::ldexp(1.0F, -8)}, DType::bf16), std::invalid_argument);
}

TEST_CASE("options that contradict each other are refused", "[checkpoint]") {
  const auto refused = [](auto&& change) {
    CheckpointOptions options;
    options.weights = WeightsFile::absent;
    change(options);
    CHECK_THROWS_AS(write_checkpoint("/nowhere/at/all", options), std::invalid_argument);
  };
  refused([](CheckpointOptions& o) { o.kv_heads = 4; });
  refused([](CheckpointOptions& o) { o.layers = 0; });
  refused([](CheckpointOptions& o) { o.windows = {4, 4, 4}; });
  refused([](CheckpointOptions& o) { o.gains.resize(4); });
  refused([](CheckpointOptions& o) { o.tokenizer = true; });
}
