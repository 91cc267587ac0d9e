#include "engine/checkpoint/config.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {
namespace {

using engine::ModelConfig;

const std::string small =
    R"("hidden_size": 48, "intermediate_size": 80, "vocab_size": 100, "num_hidden_layers": 3, "num_attention_heads": 6,)"
    R"( "num_key_value_heads": 2)";

std::string document(const std::string& architecture, const std::string& more = "") {
  return "{\"architectures\": [\"" + architecture + "ForCausalLM\"], " + small + (more.empty() ? "" : ", " + more) + "}";
}

ModelConfig read(const std::string& config, const std::string& generation = "") {
  TemporaryFolder const folder;
  folder.write("config.json", config);
  if (!generation.empty()) folder.write("generation_config.json", generation);
  return engine::read_config(folder.path());
}

std::string refusal_of_config(const std::string& config, const std::string& generation = "") {
  return refusal_of([&] { read(config, generation); });
}

// The part of the refusal that begins at the document's name.
std::string refused_part(const std::string& config) {
  std::string const message = refusal_of_config(config);
  std::size_t const at = message.find("config.json: ");
  return at == std::string::npos ? message : message.substr(at);
}

using Windows = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("the sizes of a config are read", "[config]") {
  ModelConfig const config = read(document("Llama", R"("max_position_embeddings": 4096, "rms_norm_eps": 1e-5, "rope_theta": 500000.0)"));
  CHECK(config.architecture == "LlamaForCausalLM");
  CHECK(config.hidden_size == 48);
  CHECK(config.intermediate_size == 80);
  CHECK(config.vocab_size == 100);
  CHECK(config.layers == 3);
  CHECK(config.q_heads == 6);
  CHECK(config.kv_heads == 2);
  CHECK(config.head_dim == 8);
  CHECK(config.max_position_embeddings == 4096);
  CHECK(config.rms_norm_eps == 1e-5);
  CHECK(config.rope.theta == 500000.0);
  CHECK(config.window_tokens == Windows{0, 0, 0});
}

TEST_CASE("absent fields take the defaults of the architecture's class", "[config]") {
  ModelConfig const llama = read(R"({"architectures": ["LlamaForCausalLM"]})");
  CHECK(llama.vocab_size == 32000);
  CHECK(llama.hidden_size == 4096);
  CHECK(llama.intermediate_size == 11008);
  CHECK(llama.layers == 32);
  CHECK(llama.q_heads == 32);
  CHECK(llama.kv_heads == 32);
  CHECK(llama.head_dim == 128);
  CHECK(llama.max_position_embeddings == 2048);
  CHECK(llama.rms_norm_eps == 1e-6);
  CHECK(llama.rope.theta == 10000.0);
  CHECK(llama.eos_token_ids == std::vector<std::int64_t>{2});
  CHECK_FALSE(llama.tied_embeddings);

  ModelConfig const qwen2 = read(R"({"architectures": ["Qwen2ForCausalLM"], "num_attention_heads": 64})");
  CHECK(qwen2.vocab_size == 151936);
  CHECK(qwen2.intermediate_size == 22016);
  CHECK(qwen2.kv_heads == 32);
  CHECK(qwen2.head_dim == 64);
  CHECK(qwen2.max_position_embeddings == 32768);
  CHECK(qwen2.eos_token_ids.empty());

  ModelConfig const qwen3 = read(R"({"architectures": ["Qwen3ForCausalLM"], "hidden_size": 1024})");
  CHECK(qwen3.head_dim == 128);
  CHECK(qwen3.kv_heads == 32);
  CHECK(qwen3.vocab_size == 151936);
  CHECK(qwen3.intermediate_size == 22016);
  CHECK(qwen3.max_position_embeddings == 32768);
  CHECK(qwen3.eos_token_ids.empty());

  ModelConfig const mistral = read(R"({"architectures": ["MistralForCausalLM"]})");
  CHECK(mistral.intermediate_size == 14336);
  CHECK(mistral.kv_heads == 8);
  CHECK(mistral.max_position_embeddings == 131072);
  CHECK(mistral.window_tokens == Windows(32, 4096));
}

TEST_CASE("a null num_key_value_heads is one KV head a query head", "[config]") {
  for (const char* const name : {"Llama", "Qwen2", "Qwen3", "Mistral"}) {
    std::string const config = std::string(R"({"architectures": [")") + name + R"(ForCausalLM"], "num_key_value_heads": null})";
    CHECK(read(config).kv_heads == 32);
  }
}

TEST_CASE("an explicit head_dim outranks hidden_size / heads", "[config]") {
  CHECK(read(document("Llama", R"("head_dim": 20)")).head_dim == 20);
  CHECK(read(document("Qwen3", R"("head_dim": 10)")).head_dim == 10);
  CHECK(read(document("Mistral", R"("head_dim": null)")).head_dim == 8);
  CHECK(refused_part(document("Llama", R"("head_dim": 7)")) == "config.json: head_dim: 7 is odd: rotation needs pairs");
}

TEST_CASE("biases follow the architecture", "[config]") {
  ModelConfig const qwen2 = read(document("Qwen2"));
  CHECK(qwen2.qkv_bias);
  CHECK_FALSE(qwen2.o_bias);
  ModelConfig const llama = read(document("Llama", R"("attention_bias": true, "mlp_bias": true)"));
  CHECK(llama.qkv_bias);
  CHECK(llama.o_bias);
  CHECK(llama.mlp_bias);
  ModelConfig const qwen3 = read(document("Qwen3", R"("attention_bias": true)"));
  CHECK(qwen3.qkv_bias);
  CHECK(qwen3.o_bias);
  for (const char* const name : {"Llama", "Qwen3", "Mistral"}) {
    ModelConfig const plain = read(document(name));
    CHECK_FALSE(plain.qkv_bias);
    CHECK_FALSE(plain.o_bias);
    CHECK_FALSE(plain.mlp_bias);
  }
  CHECK(starts(refused_part(document("Mistral", R"("attention_bias": true)")), "config.json: attention_bias: true"));
  CHECK(starts(refused_part(document("Qwen2", R"("mlp_bias": true)")), "config.json: mlp_bias: true"));
}

TEST_CASE("Qwen3 alone normalises q and k", "[config]") {
  CHECK(read(document("Qwen3")).qk_norm);
  for (const char* const name : {"Llama", "Qwen2", "Mistral"}) CHECK_FALSE(read(document(name)).qk_norm);
}

TEST_CASE("tied embeddings are read", "[config]") {
  CHECK(read(document("Qwen2", R"("tie_word_embeddings": true)")).tied_embeddings);
  CHECK_FALSE(read(document("Qwen2", R"("tie_word_embeddings": false)")).tied_embeddings);
}

TEST_CASE("Mistral slides in every layer, by the window that it names", "[config]") {
  CHECK(read(document("Mistral", R"("sliding_window": 5)")).window_tokens == Windows{5, 5, 5});
  CHECK(read(document("Mistral", R"("sliding_window": null)")).window_tokens == Windows{0, 0, 0});
  CHECK(read(document("Mistral")).window_tokens == Windows{4096, 4096, 4096});
  CHECK(starts(refused_part(document("Mistral", R"("sliding_window": 0)")), "config.json: sliding_window: 0"));
}

TEST_CASE("Qwen slides from max_window_layers on, where it uses a window at all", "[config]") {
  for (const char* const name : {"Qwen2", "Qwen3"}) {
    std::string const on = R"("use_sliding_window": true, "sliding_window": 5)";
    CHECK(read(document(name, on + R"(, "max_window_layers": 1)")).window_tokens == Windows{0, 5, 5});
    CHECK(read(document(name, on + R"(, "max_window_layers": 0)")).window_tokens == Windows{5, 5, 5});
    CHECK(read(document(name, on)).window_tokens == Windows{0, 0, 0});  // max_window_layers is 28
    Windows from_28(32, 0);
    std::fill(from_28.begin() + 28, from_28.end(), 5);
    CHECK(read(std::string(R"({"architectures": [")") + name + R"(ForCausalLM"], )" + on + "}").window_tokens == from_28);
    CHECK(read(document(name, R"("sliding_window": 5, "max_window_layers": 0)")).window_tokens == Windows{0, 0, 0});
    CHECK(read(document(name, R"("use_sliding_window": true, "sliding_window": null, "max_window_layers": 0)")).window_tokens ==
          Windows{0, 0, 0});
    CHECK(read(document(name, R"("use_sliding_window": true, "max_window_layers": 2)")).window_tokens == Windows{0, 0, 4096});
  }
}

TEST_CASE("layer_types says which layers slide", "[config]") {
  std::string const on = R"("use_sliding_window": true, "sliding_window": 5, )";
  std::string const mixed = R"("layer_types": ["sliding_attention", "full_attention", "sliding_attention"])";
  CHECK(read(document("Qwen3", on + mixed)).window_tokens == Windows{5, 0, 5});
  CHECK(read(document("Llama", R"("layer_types": ["full_attention", "full_attention", "full_attention"])")).window_tokens ==
        Windows{0, 0, 0});
  CHECK(starts(refused_part(document("Qwen3", mixed)), "config.json: layer_types: sliding_attention, but"));
  CHECK(starts(refused_part(document("Llama", mixed)), "config.json: layer_types: sliding_attention, but"));
  CHECK(starts(refused_part(document("Mistral", R"("sliding_window": 5, )" + mixed)), "config.json: layer_types: mixed layers"));
  CHECK(starts(refused_part(document("Qwen3", R"("layer_types": ["full_attention"])")), "config.json: layer_types: not a list of 3"));
  CHECK(starts(refused_part(document("Qwen3", R"("layer_types": ["full_attention", "linear_attention", "full_attention"])")),
               "config.json: layer_types: \"linear_attention\" is not routed"));
}

TEST_CASE("end-of-text tokens come from both documents, once each", "[config]") {
  using Ids = std::vector<std::int64_t>;
  CHECK(read(document("Llama", R"("eos_token_id": 7)")).eos_token_ids == Ids{7});
  CHECK(read(document("Llama", R"("eos_token_id": [7, 9, 7])")).eos_token_ids == Ids{7, 9});
  CHECK(read(document("Llama", R"("eos_token_id": 7)"), R"({"eos_token_id": [7, 11]})").eos_token_ids == Ids{7, 11});
  CHECK(read(document("Llama"), R"({"eos_token_id": 5})").eos_token_ids == Ids{5});
  CHECK(read(document("Llama")).eos_token_ids == Ids{2});
  CHECK(read(document("Llama", R"("eos_token_id": null)")).eos_token_ids.empty());
  for (const char* const bad : {"100", "-1", "[1, 2.5]", "\"2\"", "18446744073709551615"}) {
    INFO(bad);
    CHECK(starts(refused_part(document("Llama", std::string(R"("eos_token_id": )") + bad)), "config.json: eos_token_id: "));
  }
  CHECK(refusal_of_config(document("Llama"), R"({"eos_token_id": 100})").find("generation_config.json: eos_token_id: 100") !=
        std::string::npos);
}

TEST_CASE("an architecture that is not routed is refused by name", "[config]") {
  CHECK(starts(refused_part(document("Gemma3")), "config.json: architectures: \"Gemma3ForCausalLM\" is not routed"));
  for (const char* const config :
       {"{}", R"({"architectures": []})", R"({"architectures": "LlamaForCausalLM"})", R"({"architectures": [7]})"}) {
    CHECK(starts(refused_part(config), "config.json: architectures: missing"));
  }
}

TEST_CASE("activation and dtype are checked", "[config]") {
  CHECK(starts(refused_part(document("Llama", R"("hidden_act": "gelu")")), "config.json: hidden_act: \"gelu\" is not routed"));
  for (const char* const dtype : {"bfloat16", "float16", "float32"}) {
    CHECK(read(document("Llama", std::string(R"("torch_dtype": ")") + dtype + "\"")).layers == 3);
    CHECK(read(document("Llama", std::string(R"("dtype": ")") + dtype + "\"")).layers == 3);
  }
  CHECK(starts(refused_part(document("Llama", R"("torch_dtype": "float8_e4m3fn")")), "config.json: torch_dtype: \"float8_e4m3fn\""));
  CHECK(starts(refused_part(document("Llama", R"("dtype": 16)")), "config.json: dtype: 16 is not a string"));
  CHECK(starts(refused_part(document("Llama", R"("dtype": "float16", "torch_dtype": "bfloat16")")), "config.json: torch_dtype: "));
}

TEST_CASE("sizes out of range are refused with file and field", "[config]") {
  struct Case {
    const char* field;
    const char* value;
  };
  for (const Case& c : {Case{"hidden_size", "0"},
                        Case{"hidden_size", "-4"},
                        Case{"hidden_size", "48.0"},
                        Case{"hidden_size", "\"48\""},
                        Case{"hidden_size", "67108865"},
                        Case{"hidden_size", "9223372036854775808"},
                        Case{"hidden_size", "1e30"},
                        Case{"vocab_size", "0"},
                        Case{"intermediate_size", "4611686018427387904"},
                        Case{"num_hidden_layers", "0"},
                        Case{"num_hidden_layers", "4097"},
                        Case{"num_attention_heads", "0"},
                        Case{"num_attention_heads", "true"},
                        Case{"num_key_value_heads", "0"},
                        Case{"head_dim", "0"},
                        Case{"head_dim", "-2"},
                        Case{"head_dim", "65538"},
                        Case{"max_position_embeddings", "0"},
                        Case{"rms_norm_eps", "0"},
                        Case{"rms_norm_eps", "-1e-6"},
                        Case{"rms_norm_eps", "1"},
                        Case{"rms_norm_eps", "\"1e-6\""},
                        Case{"rope_theta", "0"},
                        Case{"rope_theta", "-1"},
                        Case{"attention_bias", "1"},
                        Case{"tie_word_embeddings", "\"true\""}}) {
    std::string const config = std::string(R"({"architectures": ["LlamaForCausalLM"], ")") + c.field + "\": " + c.value + "}";
    INFO(config);
    CHECK(starts(refused_part(config), std::string("config.json: ") + c.field + ": "));
  }
}

TEST_CASE("a size that is written as a fraction is refused, a whole value too", "[config]") {
  for (const char* const field : {"hidden_size", "intermediate_size", "vocab_size", "num_hidden_layers", "num_attention_heads",
                                  "num_key_value_heads", "head_dim", "max_position_embeddings"}) {
    for (const char* const value : {"32.0", "32.5", "3.2e1"}) {
      std::string const config = std::string(R"({"architectures": ["LlamaForCausalLM"], ")") + field + "\": " + value + "}";
      INFO(config);
      std::string const refusal = refused_part(config);
      CHECK(starts(refusal, std::string("config.json: ") + field + ": 32."));
      CHECK_THAT(refusal, ContainsSubstring(" is not an integer from 1 to "));
    }
  }
}

TEST_CASE("heads that do not divide are refused", "[config]") {
  CHECK(refused_part(R"({"architectures": ["LlamaForCausalLM"], "num_attention_heads": 6, "num_key_value_heads": 4})") ==
        "config.json: num_key_value_heads: 4 does not divide num_attention_heads 6");
  CHECK(starts(refused_part(R"({"architectures": ["LlamaForCausalLM"], "num_attention_heads": 2, "num_key_value_heads": 4})"),
               "config.json: num_key_value_heads: 4 does not divide"));
  CHECK(starts(refused_part(R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 50, "num_attention_heads": 6})"),
               "config.json: hidden_size: 50 is not a multiple"));
  CHECK(starts(refused_part(R"({"architectures": ["LlamaForCausalLM"], "num_attention_heads": 65536, "head_dim": 65536})"),
               "config.json: num_attention_heads: times head_dim is over"));
}

TEST_CASE("a missing or broken config.json is refused", "[config]") {
  TemporaryFolder const folder;
  CHECK(refusal_of([&] { engine::read_config(folder.path()); }) == (folder.path() / "config.json").string() + ": no such file");
  CHECK(starts(refused_part("{"), "config.json: not JSON at byte"));
  CHECK(starts(refused_part("[1]"), "config.json: [1] is not an object"));
  CHECK(starts(refused_part(R"({"architectures": ["LlamaForCausalLM"], "vocab_size": 1, "vocab_size": 2})"),
               "config.json: key \"vocab_size\" twice"));
}

}  // namespace redproof::tests
