#include "engine/model/weights.h"

#include "engine/checkpoint/config.h"
#include "tests/catch.h"
#include "tests/engine/model/generated.h"

using namespace redproof::engine;
using namespace redproof::tests;
using redproof::properties::CheckpointOptions;

namespace {

std::string refusal_with(CheckpointOptions options, const std::string& extra_config) {
  options.extra_config = extra_config;
  const Generated generated(options);
  return refusal_of([&] { find_weights(read_config(generated.path()), Checkpoint::open(generated.path())); });
}

}  // namespace

TEST_CASE("a tensor of another shape is refused by file, tensor and both shapes", "[weights]") {
  const std::string refusal = refusal_with({}, R"({"intermediate_size": 57})");
  CHECK(refusal.find("model.safetensors") != std::string::npos);
  CHECK(refusal.find("model.layers.0.mlp.gate_proj.weight") != std::string::npos);
  CHECK(refusal.find("[56, 48]") != std::string::npos);
  CHECK(refusal.find("[57, 48]") != std::string::npos);
}

TEST_CASE("a tensor that is not there is refused by name", "[weights]") {
  CheckpointOptions tied;
  tied.tied = true;
  CHECK(refusal_with(tied, R"({"tie_word_embeddings": false})").find("lm_head.weight") != std::string::npos);
  CHECK(refusal_with({}, R"({"num_hidden_layers": 4})").find("model.layers.3.") != std::string::npos);
  CHECK(refusal_with({}, R"({"attention_bias": true})").find("q_proj.bias") != std::string::npos);
}

TEST_CASE("a tied head is the embedding itself", "[weights]") {
  CheckpointOptions options;
  options.tied = true;
  const Generated generated(options);
  const Checkpoint checkpoint = Checkpoint::open(generated.path());
  const ModelWeights weights = find_weights(read_config(generated.path()), checkpoint);
  CHECK(weights.head.data == weights.embedding.data);
}

TEST_CASE("a tied head is the embedding whatever lm_head.weight the file has beside it, and an untied one is that tensor", "[weights]") {
  for (const std::int64_t rows : {67, 5}) {
    CheckpointOptions options;
    options.extra_tensors = {{"lm_head.weight", {rows, 48}, std::vector<float>(static_cast<std::size_t>(rows * 48), 0.5F), DType::bf16}};
    options.tied = true;
    const Generated generated(options);
    const Checkpoint checkpoint = Checkpoint::open(generated.path());
    ModelConfig config = read_config(generated.path());
    CAPTURE(rows);
    CHECK(find_weights(config, checkpoint).head.data == checkpoint.at("model.embed_tokens.weight").data);
    config.tied_embeddings = false;
    if (rows == config.vocab_size) {
      CHECK(find_weights(config, checkpoint).head.data == checkpoint.at("lm_head.weight").data);
    } else {
      CHECK(refusal_of([&] { find_weights(config, checkpoint); }).find("lm_head.weight: shape [5, 48]") != std::string::npos);
    }
  }
}

TEST_CASE("a matrix has 4 bytes an element in float32, and 2 in both dtypes of 16 bits", "[weights]") {
  CHECK(matrix_bytes({nullptr, DType::f32, 3, 5}) == 60);
  CHECK(matrix_bytes({nullptr, DType::f16, 3, 5}) == 30);
  CHECK(matrix_bytes({nullptr, DType::bf16, 3, 5}) == 30);
}

TEST_CASE("a row of each dtype widens to its exact values", "[weights]") {
  const std::vector<float> floats{1, -2.5F, 0.125F, 3};
  const std::vector<std::uint16_t> bf16{0x3f80, 0xc020, 0x3e00, 0x4040}, f16{0x3c00, 0xc100, 0x3000, 0x4200};
  std::vector<float> row(2);
  for (const Matrix& matrix :
       {Matrix{floats.data(), DType::f32, 2, 2}, Matrix{bf16.data(), DType::bf16, 2, 2}, Matrix{f16.data(), DType::f16, 2, 2}}) {
    row_to_f32(matrix, 1, row.data());
    CHECK(row == std::vector<float>{0.125F, 3});
  }
}
