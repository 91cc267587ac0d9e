#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "properties/generators/checkpoint.h"

namespace {

using redproof::engine::DType;
using redproof::engine::RopeType;
using namespace redproof::properties;

struct Arguments {
  std::string dir;
  CheckpointOptions options;
  std::vector<float> k_scales, v_scales;
  std::vector<int> k_gains, v_gains;
  std::int64_t eos = -1;
  std::int32_t keep_o_proj = -1;
  std::int64_t window = 0;
};

template <class E>
CLI::Option* add_choice(CLI::App& app, const std::string& name, E& value, const std::map<std::string, E>& names, const std::string& help) {
  return app.add_option(name, value, help)
      ->transform(CLI::CheckedTransformer(names))
      ->option_text("{" + CLI::detail::join(names, [](const auto& n) { return n.first; }, ",") + "}");
}

void add_shape(CLI::App& app, CheckpointOptions& o) {
  add_choice(app, "--family", o.family,
             std::map<std::string, Family>{
                 {"llama", Family::llama}, {"qwen2", Family::qwen2}, {"qwen3", Family::qwen3}, {"mistral", Family::mistral}},
             "architecture");
  add_choice(app, "--dtype", o.dtype, std::map<std::string, DType>{{"bf16", DType::bf16}, {"f16", DType::f16}, {"f32", DType::f32}},
             "dtype of the weights");
  app.add_option("--layers", o.layers)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--hidden", o.hidden)->check(CLI::Range(1, 65536))->capture_default_str();
  app.add_option("--q-heads", o.q_heads)->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--kv-heads", o.kv_heads)->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--head-dim", o.head_dim)->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--intermediate", o.intermediate)->check(CLI::Range(1, 1 << 18))->capture_default_str();
  app.add_option("--vocab", o.vocab)->check(CLI::Range(1, 1 << 20))->capture_default_str();
  app.add_option("--max-positions", o.max_positions, "tokens")->check(CLI::Range(1, 1 << 30))->capture_default_str();
  app.add_option("--seed", o.seed)->capture_default_str();
  app.add_option("--shards", o.shards, "0: one file")->check(CLI::Range(0, 9999))->capture_default_str();
  app.add_flag("--tied", o.tied, "the head is the embedding");
  app.add_flag("--attention-bias", o.attention_bias, "Llama only");
  app.add_flag("--mlp-bias", o.mlp_bias, "Llama only");
  app.add_flag("--tokenizer", o.tokenizer, "write a byte-level tokenizer.json (vocab 272 or more)");
}

void add_rope(CLI::App& app, CheckpointOptions& o) {
  add_choice(app, "--rope", o.rope.type,
             std::map<std::string, RopeType>{
                 {"default", RopeType::none}, {"linear", RopeType::linear}, {"llama3", RopeType::llama3}, {"yarn", RopeType::yarn}},
             "position scaling");
  app.add_option("--rope-theta", o.rope.theta)->capture_default_str();
  app.add_option("--rope-factor", o.rope.factor)->capture_default_str();
  app.add_option("--rope-original-positions", o.rope.original_max_position_embeddings, "tokens");
  app.add_flag("--rope-parameters", o.rope_parameters, "write the newer field rope_parameters");
}

void add_cache(CLI::App& app, Arguments& a) {
  CheckpointOptions& o = a.options;
  app.add_option("--k-scales", a.k_scales, "K scales from layer 0 on")->delimiter(',');
  app.add_option("--v-scales", a.v_scales, "V scales from layer 0 on")->delimiter(',');
  add_choice(app, "--scale-names", o.scale_names,
             std::map<std::string, ScaleNames>{{"attn", ScaleNames::attn},
                                               {"plain", ScaleNames::plain},
                                               {"proj", ScaleNames::proj},
                                               {"qkv_proj", ScaleNames::qkv_proj},
                                               {"cache", ScaleNames::cache},
                                               {"kv_scale", ScaleNames::kv_scale}},
             "names of the scale tensors");
  app.add_option("--k-gains", a.k_gains, "W_k times 2^n, W_q times 2^-n, from layer 0 on")->delimiter(',');
  app.add_option("--v-gains", a.v_gains, "W_v times 2^n, W_o times 2^-n, from layer 0 on")->delimiter(',');
  app.add_flag("--zero-o-proj", o.zero_o_proj, "o_proj = 0 in every layer");
  app.add_option("--keep-o-proj", a.keep_o_proj, "the one layer that keeps its o_proj");
  app.add_option("--window", a.window, "sliding window of every layer, in tokens");
  app.add_option("--quantization-config", o.quantization_config, "JSON of config.json's quantization_config");
  app.add_option("--hf-quant-config", o.hf_quant_config, "JSON of the file hf_quant_config.json");
  app.add_option("--extra-config", o.extra_config, "JSON object of fields to set in config.json");
  add_choice(app, "--weights", o.weights,
             std::map<std::string, WeightsFile>{{"honest", WeightsFile::honest},
                                                {"lying_header", WeightsFile::lying_header},
                                                {"trailing_byte", WeightsFile::trailing_byte},
                                                {"absent", WeightsFile::absent}},
             "the weights file");
}

void finish(Arguments& a) {
  CheckpointOptions& o = a.options;
  o.k_scales.assign(a.k_scales.begin(), a.k_scales.end());
  o.v_scales.assign(a.v_scales.begin(), a.v_scales.end());
  o.gains.resize(std::max(a.k_gains.size(), a.v_gains.size()));
  for (std::size_t i = 0; i < a.k_gains.size(); ++i) o.gains[i].k = a.k_gains[i];
  for (std::size_t i = 0; i < a.v_gains.size(); ++i) o.gains[i].v = a.v_gains[i];
  if (a.eos >= 0) o.eos_token_id = a.eos;
  if (a.keep_o_proj >= 0) o.keep_o_proj_of_layer = a.keep_o_proj;
  if (a.window > 0) o.windows.assign(static_cast<std::size_t>(o.layers), a.window);
}

std::filesystem::path without_last_slash(const std::filesystem::path& dir) {
  const std::filesystem::path normal = dir.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

// A folder that is there already keeps its other files.
void move_into(const std::filesystem::path& dir, const std::filesystem::path& growing) {
  if (!std::filesystem::exists(dir)) return std::filesystem::rename(growing, dir);
  for (const auto& file : std::filesystem::directory_iterator(growing)) {
    std::filesystem::rename(file.path(), dir / file.path().filename());
  }
  std::filesystem::remove(growing);
}

// It grows beside its folder: the folder's own name appears once all of it is there.
void write_whole(const std::filesystem::path& asked, const CheckpointOptions& options) {
  const std::filesystem::path dir = without_last_slash(asked);
  const std::filesystem::path growing = dir.string() + ".tmp";
  if (growing.has_parent_path()) std::filesystem::create_directories(growing.parent_path());
  if (!std::filesystem::create_directory(growing)) throw std::runtime_error(growing.string() + ": is there already: remove it");
  try {
    write_checkpoint(growing, options);
    move_into(dir, growing);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(growing, ignored);
    throw;
  }
}

int refuse(const std::string& what) {
  std::fprintf(stderr, "make_checkpoint: %s\n", what.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Writes a small deterministic Hugging Face checkpoint and prints its path. Exit codes: 0 written, 1 refused."};
  Arguments arguments;
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on files is a failed write
  app.add_option("dir", arguments.dir, "folder to write")->required();
  app.add_option("--eos", arguments.eos, "end-of-text token");
  add_shape(app, arguments.options);
  add_rope(app, arguments.options);
  add_cache(app, arguments);
  try {
    app.parse(argc, argv);
    finish(arguments);
    write_whole(arguments.dir, arguments.options);
    std::printf("%s\n", arguments.dir.c_str());
    return std::fflush(stdout) == 0 ? 0 : refuse("stdout: cannot be written");
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}
