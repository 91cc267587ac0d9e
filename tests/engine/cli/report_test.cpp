// What inspect and bench print for a reader, line by line.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/catch.h"
#include "tests/engine/cli/program.h"
#include "tests/engine/model/generated.h"

using namespace redproof::tests;
using redproof::properties::CheckpointOptions;
using redproof::properties::Family;
using redproof::properties::ScaleNames;
using redproof::properties::WeightsFile;

namespace {

CheckpointOptions declared_fp8() {
  CheckpointOptions options;
  options.quantization_config = redproof::properties::modelopt_fp8_inline;
  return options;
}

// Behind the first line, which names the folder.
std::string report_of(const Generated& model, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"inspect", "--model", model.path().string()});
  const auto finished = run_engine(arguments);
  CHECK(finished.exit_code == 0);
  CHECK(finished.err.empty());
  const std::string first = "model: " + model.path().string() + " (LlamaForCausalLM)\n";
  CHECK(finished.out.starts_with(first));
  return finished.out.substr(std::min(first.size(), finished.out.size()));
}

const std::string fp8_lines =
    "layers 0-2: fp8_e4m3, full attention, 2 KV heads of 20, 16 tokens a block, 1280 bytes a block\n"
    "pool: 256 blocks of 3840 bytes, 983040 bytes\n";
const std::string bf16_lines =
    "layers 0-2: bfloat16, full attention, 2 KV heads of 20, 16 tokens a block, 2560 bytes a block\n"
    "pool: 256 blocks of 7680 bytes, 1966080 bytes\n";
const std::string unused_scales =
    "scales of layer 0: k 1, v 1 (unused)\n"
    "scales of layer 1: k 1, v 1 (unused)\n"
    "scales of layer 2: k 1, v 1 (unused)\n";

}  // namespace

TEST_CASE("inspect says where dtype and scales come from, layer by layer", "[cli][report]") {
  const std::string from_checkpoint = "kv cache dtype: fp8_e4m3, origin: checkpoint, storage: fp8_e4m3\nrouted: yes\n";
  CheckpointOptions options = declared_fp8();
  options.k_scales = {0.06F, 0.05F, 0.07F};
  options.v_scales = {0.35F, 0.3F, 0.4F};
  CHECK(report_of(Generated(options)) == from_checkpoint + fp8_lines +
                                             "scales of layer 0: k 0.06, v 0.35 (checkpoint)\n"
                                             "scales of layer 1: k 0.05, v 0.3 (checkpoint)\n"
                                             "scales of layer 2: k 0.07, v 0.4 (checkpoint)\n");
  // 3 tokens * 2 heads * 2 sides * 20 lanes * 2 bytes, in 3 layers, 7 times.
  CHECK(report_of(Generated(options), {"--kv-cache-dtype", "bfloat16", "--num-blocks", "7", "--block-size", "3"}) ==
        "kv cache dtype: bfloat16, origin: flag, storage: bfloat16\nrouted: yes\n"
        "layers 0-2: bfloat16, full attention, 2 KV heads of 20, 3 tokens a block, 480 bytes a block\n"
        "pool: 7 blocks of 1440 bytes, 10080 bytes\n" +
            unused_scales);
  options.k_scales.pop_back();
  options.v_scales.pop_back();
  CHECK(report_of(Generated(options)) ==
        from_checkpoint + "warning: fp8 KV cache: the checkpoint has k_scale and v_scale for 2 of 3 layers; the others use 1.0\n" +
            fp8_lines +
            "scales of layer 0: k 0.06, v 0.35 (checkpoint)\n"
            "scales of layer 1: k 0.05, v 0.3 (checkpoint)\n"
            "scales of layer 2: k 1, v 1 (undeclared)\n");
  const auto json = run_engine({"inspect", "--model", Generated(options).path().string(), "--json"}).out;
  CHECK(field_of(json, "warning") == "null");
  CHECK(field_of(json, "scales_warning").starts_with("\"fp8 KV cache: the checkpoint has k_scale and v_scale for 2 of 3 layers"));
  options.scale_names = ScaleNames::kv_scale;
  options.k_scales = {0.06F, 0.05F, 0.07F};
  options.v_scales = {};
  CHECK(report_of(Generated(options)) == from_checkpoint + fp8_lines +
                                             "scales of layer 0: k 0.06, v 0.06 (k_for_both)\n"
                                             "scales of layer 1: k 0.05, v 0.05 (k_for_both)\n"
                                             "scales of layer 2: k 0.07, v 0.07 (k_for_both)\n");
}

TEST_CASE("inspect says what nothing declares, what is no known dtype, and why a dtype is not routed", "[cli][report]") {
  CheckpointOptions options;
  const std::string fallback = "kv cache dtype: auto, origin: default, storage: bfloat16\nrouted: yes\n";
  CHECK(report_of(Generated(options)) == fallback + bf16_lines + unused_scales);
  options.quantization_config = R"({"quant_method": "modelopt", "kv_cache_quant_algo": "paint"})";
  const Generated painted(options);
  const auto json = run_engine({"inspect", "--model", painted.path().string(), "--json"}).out;
  CHECK(field_of(json, "warning").find("\\\"paint\\\" is no known KV dtype") != std::string::npos);
  CHECK(field_of(json, "scales_warning") == "null");
  CHECK(report_of(painted) == fallback + "warning: " + (painted.path() / "config.json").string() +
                                  ": quantization_config.kv_cache_quant_algo: \"paint\" is no known KV dtype; the cache stores bfloat16\n" +
                                  bf16_lines + unused_scales);
  options.quantization_config = R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "NVFP4"})";
  options.weights = WeightsFile::absent;
  CHECK(
      report_of(Generated(options)) ==
      "kv cache dtype: nvfp4, origin: checkpoint, storage: none\n"
      "routed: no: LlamaForCausalLM with --kv-cache-dtype auto (the checkpoint declares nvfp4) is not routed: the KV cache stores bfloat16 "
      "or fp8_e4m3\n");
}

TEST_CASE("inspect gives layers that differ in their window a line each, and neighbours that do not one line", "[cli][report]") {
  CheckpointOptions options;
  options.family = Family::qwen3;
  const auto lines = [&] {
    const auto text = run_engine({"inspect", "--model", Generated(options).path().string()});
    CHECK(text.exit_code == 0);
    std::string found;
    for (std::size_t at = text.out.find("\nlayers "); at != std::string::npos; at = text.out.find("\nlayers ", at + 1)) {
      found += text.out.substr(at, text.out.find('\n', at + 1) - at);
    }
    return found;
  };
  const std::string full = ": bfloat16, full attention, 2 KV heads of 20, 16 tokens a block, 2560 bytes a block";
  const std::string window = ": bfloat16, a window of 7 tokens, 2 KV heads of 20, 16 tokens a block, 2560 bytes a block";
  CHECK(lines() == "\nlayers 0-2" + full);
  options.windows = {0, 7, 7};
  CHECK(lines() == "\nlayers 0-0" + full + "\nlayers 1-2" + window);
  options.windows = {7, 7, 0};
  CHECK(lines() == "\nlayers 0-1" + window + "\nlayers 2-2" + full);
  options.windows = {0, 7, 0};
  CHECK(lines() == "\nlayers 0-0" + full + "\nlayers 1-1" + window + "\nlayers 2-2" + full);
  options.windows = {7, 7, 7};
  CHECK(lines() == "\nlayers 0-2" + window);
}

TEST_CASE("the share of the read bandwidth that bench prints is that of the figures beside it, in text and in JSON", "[cli][report]") {
  CheckpointOptions options;
  options.hidden = 192;
  options.intermediate = 768;
  const Generated model(options);
  const std::vector<std::string> run{"bench", "--model", model.path().string(), "--prompt-tokens", "9", "--max-tokens", "4"};
  const auto text = run_engine(run);
  CHECK(text.exit_code == 0);
  double read = 0, prefill = 0, decode = 0, used = 0;
  long long prompt = 0, steps = 0, bytes = 0, percent = 0;
  CAPTURE(text.out);
  REQUIRE(std::sscanf(text.out.c_str(),
                      "read bandwidth: %lf GB/s (best of 1 and 2 threads)\n"
                      "prefill: %lld tokens, %lf tokens/s\n"
                      "decode: %lld tokens, %lf tokens/s, %lld bytes a token, %lf GB/s, %lld%% of the read bandwidth\n",
                      &read, &prompt, &prefill, &steps, &decode, &bytes, &used, &percent) == 8);
  CHECK(prompt == 9);
  CHECK(steps == 4);
  // Weights of 2 bytes, and 11 tokens in 3 layers, K and V, 2 heads of 20, 2 bytes.
  CHECK(bytes == 2 * (3 * (192 * 320 + 3 * 192 * 768) + 67 * 192) + 11 * 3 * 2 * 2 * 20 * 2);
  // Each figure is rounded to its last digit.
  CHECK(!(std::fabs(used - static_cast<double>(bytes) * decode / 1e9) > 0.06));
  CHECK(static_cast<double>(percent) >= 100 * (used - 0.06) / (read + 0.06) - 0.6);
  CHECK((read <= 0.06 || static_cast<double>(percent) <= 100 * (used + 0.06) / (read - 0.06) + 0.6));
  auto in_json = run;
  in_json.insert(in_json.end(), {"--format", "json"});
  const auto json = run_engine(in_json).out;
  const auto figure = [&](const char* key) { return std::stod(field_of(json, key)); };
  CHECK(figure("decode_gb_per_s") == Approx(figure("bytes_per_token") * figure("decode_tokens_per_s") / 1e9).epsilon(1e-9));
  CHECK(figure("share_of_read_bandwidth") == Approx(figure("decode_gb_per_s") / figure("read_gb_per_s")).epsilon(1e-9));
}
