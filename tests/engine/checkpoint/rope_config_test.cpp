#include <string>

#include "engine/checkpoint/config.h"
#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {
namespace {

using engine::RopeConfig;
using engine::RopeType;

RopeConfig read_rope(const std::string& fields) {
  TemporaryFolder const folder;
  folder.write("config.json", R"({"architectures": ["LlamaForCausalLM"], "max_position_embeddings": 8192, )" + fields + "}");
  return engine::read_config(folder.path()).rope;
}

std::string refused_rope(const std::string& fields) {
  std::string const message = refusal_of([&] { read_rope(fields); });
  std::size_t const at = message.find("config.json: ");
  return at == std::string::npos ? message : message.substr(at);
}

const std::string llama3 =
    R"("rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 4096)";

}  // namespace

TEST_CASE("without scaling there is only theta", "[rope]") {
  for (const char* const fields :
       {R"("rope_theta": 1e6)", R"("rope_theta": 1000000, "rope_scaling": null)",
        R"("rope_parameters": {"rope_theta": 1e6, "rope_type": "default"})", R"("rope_parameters": {"rope_theta": 1e6})",
        R"("rope_theta": 5, "rope_parameters": {"rope_theta": 1e6})", R"("rope_theta": 1e6, "rope_parameters": {})"}) {
    INFO(fields);
    RopeConfig const rope = read_rope(fields);
    CHECK(rope.type == RopeType::none);
    CHECK(rope.theta == 1e6);
    CHECK(rope.factor == 1.0);
  }
}

TEST_CASE("both documents' ways of writing give the same rope", "[rope]") {
  for (const std::string& fields :
       {R"("rope_theta": 5e5, "rope_scaling": {)" + llama3 + "}", R"("rope_parameters": {"rope_theta": 5e5, )" + llama3 + "}"}) {
    RopeConfig const rope = read_rope(fields);
    CHECK(rope.type == RopeType::llama3);
    CHECK(rope.theta == 5e5);
    CHECK(rope.factor == 32.0);
    CHECK(rope.low_freq_factor == 1.0);
    CHECK(rope.high_freq_factor == 4.0);
    CHECK(rope.original_max_position_embeddings == 4096);
  }
}

TEST_CASE("linear needs a factor, under either name of the type", "[rope]") {
  for (const char* const name : {"type", "rope_type"}) {
    RopeConfig const rope = read_rope(std::string(R"("rope_scaling": {")") + name + R"(": "linear", "factor": 2.5})");
    CHECK(rope.type == RopeType::linear);
    CHECK(rope.factor == 2.5);
  }
  for (const char* const both : {R"("rope_type": "linear", "type": "dynamic")", R"("type": "dynamic", "rope_type": "linear")"}) {
    INFO(both);
    CHECK(read_rope(std::string(R"("rope_scaling": {"factor": 2.5, )") + both + "}").type == RopeType::linear);  // the newer name says it
  }
  CHECK(refused_rope(R"("rope_scaling": {"type": "linear"})") == "config.json: rope_scaling.factor: missing");
}

TEST_CASE("yarn reads its options and their defaults", "[rope]") {
  RopeConfig const plain = read_rope(R"("rope_scaling": {"type": "yarn", "factor": 4.0, "beta_fast": null, "beta_slow": 0})");
  CHECK(plain.type == RopeType::yarn);
  CHECK(plain.original_max_position_embeddings == 8192);
  CHECK(plain.attention_factor == 0.0);
  CHECK(plain.beta_fast == 32.0);
  CHECK(plain.beta_slow == 1.0);
  CHECK(plain.truncate);
  RopeConfig const full = read_rope(
      R"("rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048, "attention_factor": 1.25, "beta_fast": 16,)"
      R"( "beta_slow": 2, "mscale": 0.5, "mscale_all_dim": 0.75, "truncate": false})");
  CHECK(full.original_max_position_embeddings == 2048);
  CHECK(full.attention_factor == 1.25);
  CHECK(full.beta_fast == 16.0);
  CHECK(full.beta_slow == 2.0);
  CHECK(full.mscale == 0.5);
  CHECK(full.mscale_all_dim == 0.75);
  CHECK_FALSE(full.truncate);
}

TEST_CASE("another rope type is refused by name", "[rope]") {
  for (const char* const type : {"dynamic", "longrope", "su", "mrope", "LINEAR", ""}) {
    INFO(type);
    CHECK(starts(refused_rope(std::string(R"("rope_scaling": {"factor": 2, "rope_type": ")") + type + "\"}"),
                 std::string("config.json: rope_scaling.rope_type: \"") + type + "\" is not routed"));
  }
  CHECK(starts(refused_rope(R"("rope_scaling": {"type": "dynamic", "factor": 2})"),
               "config.json: rope_scaling.type: \"dynamic\" is not routed"));
  CHECK(starts(refused_rope(R"("rope_parameters": {"rope_type": "su"})"), "config.json: rope_parameters.rope_type: \"su\" is not routed"));
  CHECK(refused_rope(R"("rope_scaling": {"factor": 2})") == "config.json: rope_scaling.rope_type: missing, though there is a factor");
}

TEST_CASE("parameters that no formula survives are refused", "[rope]") {
  struct Case {
    const char* fields;
    const char* field;
  };
  for (const Case& c :
       {Case{R"("rope_scaling": {"type": "linear", "factor": 0})", "rope_scaling.factor"},
        Case{R"("rope_scaling": {"type": "linear", "factor": "2"})", "rope_scaling.factor"},
        Case{R"("rope_scaling": 7)", "rope_scaling"},
        Case{R"("rope_scaling": {"type": 7})", "rope_scaling.type"},
        Case{R"("rope_scaling": {"type": "llama3", "factor": 8, "high_freq_factor": 4})", "rope_scaling.low_freq_factor"},
        Case{R"("rope_scaling": {"type": "llama3", "factor": 8, "low_freq_factor": 4, "high_freq_factor": 4})",
             "rope_scaling.high_freq_factor"},
        Case{R"("rope_scaling": {"type": "yarn", "factor": 8, "original_max_position_embeddings": 0})",
             "rope_scaling.original_max_position_embeddings"},
        Case{R"("rope_scaling": {"type": "yarn", "factor": 8, "attention_factor": 0})", "rope_scaling.attention_factor"},
        Case{R"("rope_scaling": {"type": "yarn", "factor": 8, "beta_fast": 1, "beta_slow": 2})", "rope_scaling.beta_fast"},
        Case{R"("rope_scaling": {"type": "yarn", "factor": 8, "beta_fast": 2, "beta_slow": 2})", "rope_scaling.beta_fast"},
        Case{R"("rope_scaling": {"type": "yarn", "factor": 8, "mscale": -1})", "rope_scaling.mscale"},
        Case{R"("rope_scaling": {"type": "yarn", "factor": 8, "attn_factor": 2})", "rope_scaling.attn_factor"},
        Case{R"("rope_theta": 1e-45)", "rope_theta"},
        Case{R"("rope_theta": 1)", "rope_theta"},
        Case{R"("rope_theta": 1, "rope_scaling": {"type": "yarn", "factor": 8})", "rope_theta"},
        Case{R"("rope_theta": 2, "rope_parameters": {"rope_theta": 0.5})", "rope_parameters.rope_theta"},
        Case{R"("rope_scaling": {"type": "linear", "factor": 2}, "rope_parameters": {"rope_theta": 1})", "rope_scaling"},
        Case{R"("rope_parameters": {"full_attention": {"rope_theta": 1}})", "rope_parameters.full_attention"},
        Case{R"("rope_parameters": {"sliding_attention": {"rope_theta": 1}})", "rope_parameters.sliding_attention"},
        Case{R"("original_max_position_embeddings": 7, "rope_scaling": {"type": "yarn", "factor": 8})", "original_max_position_embeddings"},
        Case{R"("partial_rotary_factor": 0.5)", "partial_rotary_factor"},
        Case{R"("rope_parameters": {"partial_rotary_factor": 0.5})", "rope_parameters.partial_rotary_factor"}}) {
    INFO(c.fields);
    CHECK(starts(refused_rope(c.fields), std::string("config.json: ") + c.field + ": "));
  }
}

}  // namespace redproof::tests
