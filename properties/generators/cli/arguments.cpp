#include "properties/generators/cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "engine/cli/number.h"
#include "engine/types/error.h"
#include "properties/generators/cli/contradictions.h"
#include "properties/generators/cli/document.h"
#include "properties/generators/cli/number.h"

namespace redproof::properties::cli {
namespace {

using engine::DType;
using engine::Refusal;
using engine::RopeType;
using engine::cli::number_of;

constexpr const char* description =
    "Writes a small deterministic Hugging Face checkpoint and prints its path. The folder then holds this checkpoint and nothing else: "
    "one\n"
    "that is there has to be empty, or to hold an earlier checkpoint of this program.";
constexpr const char* exit_codes = "Exit codes: 0 written; 1 refused, one line on stderr; 70 an internal error; 130 interrupted.";

constexpr std::int64_t most_positions = 1 << 30;
constexpr int most_gain = 100;  // every weight then stays a normal number of bfloat16

struct Raw {
  Arguments arguments;
  std::optional<std::string> eos, keep_o_proj;  // other options bound them
  std::vector<int> k_gains, v_gains;
  std::int64_t window = 0;  // of every layer; 0: not given
};

// Every value is read here, and not by the library, which takes "" for 0, "0x1" for 1, and the largest number for whatever is larger.
template <class Take>
CLI::Option* value(CLI::App& app, const std::string& name, const std::string& help, const Take& take) {
  return app.add_option_function<std::string>(
                name, [name, take](const std::string& text) { take(name, text); }, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

template <class T>
CLI::Option* number(CLI::App& app, const char* name, std::int64_t low, std::int64_t high, const char* help, T& into) {
  const auto take = [low, high, &into](const std::string& option, const std::string& text) {
    into = static_cast<T>(number_of(option, text, low, high));
  };
  return value(app, name, help, take)->type_name(fmt::format("{}..{}", low, high));
}

template <class T>
void size(CLI::App& app, const char* name, std::int64_t high, const char* help, T& into) {
  number(app, name, 1, high, help, into)->default_str(std::to_string(into));
}

void real(CLI::App& app, const char* name, double low, double& into) {
  const auto take = [low, &into](const std::string& option, const std::string& text) { into = real_above(option, text, low); };
  value(app, name, "", take)->type_name("REAL")->default_str(fmt::format("{}", into));
}

template <class E>
void choice(CLI::App& app, const char* name, const std::map<std::string, E>& words, const char* help, E& into) {
  const std::string all = CLI::detail::join(words, [](const auto& word) { return word.first; }, ", ");
  const auto take = [words, all, &into](const std::string& option, const std::string& text) {
    const auto found = words.find(text);
    if (found == words.end()) throw Refusal(fmt::format("{}: '{}' is none of {}", option, text, all));
    into = found->second;
  };
  value(app, name, help, take)->option_text("{" + all + "}");
}

// Words and commas separate the values.
template <class Take>
void list(CLI::App& app, const std::string& name, const char* help, const Take& take) {
  const auto take_all = [name, take](const CLI::results_t& words) {
    take(name, words);
    return true;
  };
  app.add_option(name, take_all, help)->option_text("N,N ...")->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
}

void gains(CLI::App& app, const char* name, const char* help, std::vector<int>& into) {
  list(app, name, help,
       [&into](const std::string& option, const CLI::results_t& words) { into = whole_numbers(option, words, -most_gain, most_gain); });
}

void scales(CLI::App& app, const char* name, const char* help, std::vector<std::optional<float>>& into) {
  list(app, name, help, [&into](const std::string& option, const CLI::results_t& words) {
    const std::vector<float> values = reals(option, words);
    into.assign(values.begin(), values.end());
  });
}

template <class Check, class T>
void document(CLI::App& app, const char* name, const char* help, const Check& check, T& into) {
  const auto take = [check, &into](const std::string& option, const std::string& text) {
    check(option, text);
    into = text;
  };
  value(app, name, help, take)->type_name("JSON");
}

void add_shape(CLI::App& app, CheckpointOptions& o) {
  choice<Family>(app, "--family",
                 {{"llama", Family::llama}, {"qwen2", Family::qwen2}, {"qwen3", Family::qwen3}, {"mistral", Family::mistral}},
                 "architecture", o.family);
  choice<DType>(app, "--dtype", {{"bf16", DType::bf16}, {"f16", DType::f16}, {"f32", DType::f32}}, "dtype of the weights", o.dtype);
  size(app, "--layers", 1000, "", o.layers);
  size(app, "--hidden", 65536, "", o.hidden);
  size(app, "--q-heads", 1024, "a multiple of --kv-heads", o.q_heads);
  size(app, "--kv-heads", 1024, "", o.kv_heads);
  size(app, "--head-dim", 1024, "even", o.head_dim);
  size(app, "--intermediate", 1 << 18, "", o.intermediate);
  size(app, "--vocab", 1 << 20, "", o.vocab);
  size(app, "--max-positions", most_positions, "tokens", o.max_positions);
  value(app, "--seed", "", [&o](const std::string& option, const std::string& text) { o.seed = seed_of(option, text); })
      ->type_name("UINT64")
      ->default_str(std::to_string(o.seed));
  number(app, "--shards", 0, 9999, "0: one file", o.shards)->default_str(std::to_string(o.shards));
  app.add_flag("--tied", o.tied, "the head is the embedding");
  app.add_flag("--attention-bias", o.attention_bias, "Llama only");
  app.add_flag("--mlp-bias", o.mlp_bias, "Llama only");
  app.add_flag("--tokenizer", o.tokenizer, "write a byte-level tokenizer.json (vocab 272 or more)");
}

void add_rope(CLI::App& app, CheckpointOptions& o) {
  choice<RopeType>(app, "--rope",
                   {{"default", RopeType::none}, {"linear", RopeType::linear}, {"llama3", RopeType::llama3}, {"yarn", RopeType::yarn}},
                   "position scaling", o.rope.type);
  real(app, "--rope-theta", 1, o.rope.theta);
  real(app, "--rope-factor", 0, o.rope.factor);
  number(app, "--rope-original-positions", 1, most_positions, "tokens; llama3 and yarn need it", o.rope.original_max_position_embeddings);
  app.add_flag("--rope-parameters", o.rope_parameters, "write the newer field rope_parameters");
}

void add_cache(CLI::App& app, Raw& raw) {
  CheckpointOptions& o = raw.arguments.options;
  scales(app, "--k-scales", "K scales from layer 0 on", o.k_scales);
  scales(app, "--v-scales", "V scales from layer 0 on", o.v_scales);
  choice<ScaleNames>(app, "--scale-names",
                     {{"attn", ScaleNames::attn},
                      {"plain", ScaleNames::plain},
                      {"proj", ScaleNames::proj},
                      {"qkv_proj", ScaleNames::qkv_proj},
                      {"cache", ScaleNames::cache},
                      {"kv_scale", ScaleNames::kv_scale}},
                     "names of the scale tensors", o.scale_names);
  gains(app, "--k-gains", "W_k times 2^n, W_q times 2^-n, from layer 0 on", raw.k_gains);
  gains(app, "--v-gains", "W_v times 2^n, W_o times 2^-n, from layer 0 on", raw.v_gains);
  app.add_flag("--zero-o-proj", o.zero_o_proj, "o_proj = 0 in every layer");
  value(app, "--keep-o-proj", "the one layer that keeps its o_proj", [&raw](const auto&, const auto& text) {
    raw.keep_o_proj = text;
  })->type_name("LAYER");
  number(app, "--window", 1, most_positions, "sliding window of every layer, in tokens", raw.window);
}

void add_documents(CLI::App& app, CheckpointOptions& o) {
  document(app, "--quantization-config", "config.json's quantization_config", require_json, o.quantization_config);
  document(app, "--hf-quant-config", "the file hf_quant_config.json", require_json, o.hf_quant_config);
  document(app, "--extra-config", "an object of fields to set in config.json", require_json_object, o.extra_config);
  choice<WeightsFile>(app, "--weights",
                      {{"honest", WeightsFile::honest},
                       {"lying_header", WeightsFile::lying_header},
                       {"trailing_byte", WeightsFile::trailing_byte},
                       {"absent", WeightsFile::absent}},
                      "the weights file", o.weights);
}

void require_layers(const char* option, std::size_t values, std::int32_t layers) {
  if (values > static_cast<std::size_t>(layers)) throw Refusal(fmt::format("{}: {} values for {} layers", option, values, layers));
}

std::vector<LayerGain> layer_gains(const Raw& raw) {
  std::vector<LayerGain> gains(std::max(raw.k_gains.size(), raw.v_gains.size()));
  for (std::size_t i = 0; i < raw.k_gains.size(); ++i) gains[i].k = raw.k_gains[i];
  for (std::size_t i = 0; i < raw.v_gains.size(); ++i) gains[i].v = raw.v_gains[i];
  return gains;
}

Arguments finish(Raw raw) {
  CheckpointOptions& o = raw.arguments.options;
  require_layers("--k-scales", o.k_scales.size(), o.layers);
  require_layers("--v-scales", o.v_scales.size(), o.layers);
  require_layers("--k-gains", raw.k_gains.size(), o.layers);
  require_layers("--v-gains", raw.v_gains.size(), o.layers);
  o.gains = layer_gains(raw);
  if (raw.eos) o.eos_token_id = number_of("--eos", *raw.eos, 0, o.vocab - 1);
  if (raw.keep_o_proj) o.keep_o_proj_of_layer = static_cast<std::int32_t>(number_of("--keep-o-proj", *raw.keep_o_proj, 0, o.layers - 1));
  if (raw.window > 0) o.windows.assign(static_cast<std::size_t>(o.layers), raw.window);
  refuse_contradictions(o);
  return std::move(raw.arguments);
}

}  // namespace

std::variant<Arguments, std::string> parse_arguments(int argc, char** argv) {
  CLI::App app{description, "make_checkpoint"};
  app.footer(exit_codes);
  Raw raw;
  app.add_option("dir", raw.arguments.dir, "folder to write")->required();
  add_shape(app, raw.arguments.options);
  value(app, "--eos", "end-of-text token", [&raw](const auto&, const auto& text) { raw.eos = text; })->type_name("TOKEN");
  add_rope(app, raw.arguments.options);
  add_cache(app, raw);
  add_documents(app, raw.arguments.options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw Refusal(error.what());
    std::ostringstream answer;
    app.exit(error, answer, answer);
    return answer.str();
  }
  return finish(std::move(raw));
}

}  // namespace redproof::properties::cli
