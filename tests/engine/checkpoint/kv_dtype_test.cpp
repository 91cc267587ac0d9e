#include "engine/checkpoint/kv_dtype.h"

#include <string>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"
#include "tests/engine/checkpoint/kv_dtype_rows.h"

namespace redproof::tests {
namespace {

using engine::KvDtype;
using engine::KvDtypeOrigin;
using engine::KvStorage;
using engine::resolve_kv_dtype;

const char* const undeclared = R"({"architectures": ["LlamaForCausalLM"]})";

void write_documents(const TemporaryFolder& folder, const char* config, const char* legacy) {
  if (config != nullptr) folder.write("config.json", config);
  if (legacy != nullptr) folder.write("hf_quant_config.json", legacy);
}

KvDtype resolve(const char* config, const char* legacy = nullptr, const std::string& flag = "auto") {
  TemporaryFolder const folder;
  write_documents(folder, config, legacy);
  return resolve_kv_dtype(flag, folder.path());
}

std::string refusal_of_documents(const char* config, const char* legacy = nullptr) {
  return refusal_of([&] { resolve(config, legacy); });
}

std::string refusal_of_route(const KvDtype& dtype, const std::string& flag, const std::string& architecture = "LlamaForCausalLM") {
  engine::ModelConfig config;
  config.architecture = architecture;
  return refusal_of([&] { engine::require_routed(dtype, flag, config); });
}

void check_row(const KvDtypeRow& row) {
  INFO(row.id);
  if (row.name == refused) {
    std::string const message = refusal_of_documents(row.config_json, row.hf_quant_config);
    INFO(message);
    CHECK(message.find(std::string("/") + row.refusal + " ") != std::string::npos);
    return;
  }
  KvDtype const dtype = resolve(row.config_json, row.hf_quant_config);
  CHECK(dtype.name == row.name);
  CHECK(!dtype.warning.empty() == row.warns);
}

std::string compressed(const std::string& scheme) {
  return R"({"quantization_config": {"quant_method": "compressed-tensors", "kv_cache_scheme": )" + scheme + "}}";
}

}  // namespace

TEST_CASE("every settled row of documents comes out", "[kv_dtype]") {
  REQUIRE(kv_dtype_rows().size() == 70);
  for (const KvDtypeRow& row : kv_dtype_rows()) check_row(row);
}

TEST_CASE("a typed flag is taken as typed and the documents are not opened", "[kv_dtype]") {
  for (const KvDtypeRow& row : kv_dtype_rows()) {
    TemporaryFolder const folder;
    write_documents(folder, row.config_json, row.hf_quant_config);
    for (const char* const flag : {"bfloat16", "fp8", "fp8_e4m3", "fp8_e5m2", "nvfp4", "float16"}) {
      INFO(flag << " " << row.id);
      KvDtype const dtype = resolve_kv_dtype(flag, folder.path());
      CHECK(dtype.name == flag);
      CHECK(dtype.origin == KvDtypeOrigin::flag);
      CHECK(dtype.warning.empty());
    }
  }
  CHECK(resolve("not JSON at all", "{", "fp8").name == "fp8");
}

TEST_CASE("storage follows the name", "[kv_dtype]") {
  CHECK(resolve(undeclared, nullptr, "bfloat16").storage == KvStorage::bfloat16);
  CHECK(resolve(undeclared, nullptr, "fp8").storage == KvStorage::fp8_e4m3);
  CHECK(resolve(undeclared, nullptr, "fp8_e4m3").storage == KvStorage::fp8_e4m3);
  for (const char* const flag : {"float16", "fp8_e5m2", "fp8_inc", "fp8_ds_mla", "turboquant_k8v4", "int4_per_token_head",
                                 "int8_per_token_head", "fp8_per_token_head", "nvfp4"}) {
    INFO(flag);
    CHECK_FALSE(resolve(undeclared, nullptr, flag).storage.has_value());
  }
}

TEST_CASE("a flag that is no KV dtype is refused at once, with the list", "[kv_dtype]") {
  for (const char* const flag : {"AUTO", "garbage", "", "FP8", "int8", "fp8_e4m3fn", "fp8\n"}) {
    std::string const message = refusal_of([&] { resolve(undeclared, nullptr, flag); });
    INFO(message);
    CHECK(message.find("--kv-cache-dtype: \"") == 0);
    CHECK(message.find("is none of auto, float16, bfloat16, fp8, fp8_e4m3, ") != std::string::npos);
  }
}

TEST_CASE("auto without a declaration stores bfloat16 by default, whatever the weights' dtype", "[kv_dtype]") {
  for (const char* const config : {undeclared, R"({"torch_dtype": "float32"})", R"({"dtype": "float16"})"}) {
    KvDtype const dtype = resolve(config);
    CHECK(dtype.name == "auto");
    CHECK(dtype.origin == KvDtypeOrigin::fallback);
    CHECK(dtype.storage == KvStorage::bfloat16);
    CHECK(dtype.warning.empty());
    CHECK(dtype.unrouted_reason.empty());
  }
}

TEST_CASE("a declaration that is taken comes from the checkpoint", "[kv_dtype]") {
  KvDtype const fp8 = resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": "FP8"}})");
  CHECK(fp8.origin == KvDtypeOrigin::checkpoint);
  CHECK(fp8.storage == KvStorage::fp8_e4m3);
  KvDtype const nvfp4 = resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": "NVFP4"}})");
  CHECK(nvfp4.origin == KvDtypeOrigin::checkpoint);
  CHECK_FALSE(nvfp4.storage.has_value());
}

TEST_CASE("a declaration that cannot be used warns with document, field and value, and the cache stores bfloat16", "[kv_dtype]") {
  KvDtype const dtype = resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": "INT8\u001b["}})");
  CHECK(dtype.origin == KvDtypeOrigin::fallback);
  CHECK(dtype.storage == KvStorage::bfloat16);
  CHECK(dtype.warning.find("config.json: quantization_config.kv_cache_quant_algo: \"INT8\\u001b[\"") != std::string::npos);
  KvDtype const legacy =
      resolve("{}", R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "INT4"}})");
  CHECK(legacy.warning.find("hf_quant_config.json: kv_cache_quant_algo: \"INT4\"") != std::string::npos);
}

TEST_CASE("an empty declaration that comes last warns where upstream warns", "[kv_dtype]") {
  CHECK_FALSE(resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": ""}})").warning.empty());
  CHECK_FALSE(resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": {}}})").warning.empty());
  CHECK(resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": 0}})").warning.empty());
  CHECK(resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_scheme": ""}})").warning.empty());
}

TEST_CASE("an empty inline document hides the legacy file", "[kv_dtype]") {
  const char* const legacy = R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}})";
  CHECK(resolve(R"({"quantization_config": {}})", legacy).name == "auto");
  CHECK(resolve(R"({"quantization_config": null})", legacy).name == "fp8_e4m3");
  CHECK(resolve(undeclared, legacy).name == "fp8_e4m3");
  CHECK(resolve(undeclared, "null").name == "auto");
}

TEST_CASE("the legacy file is not opened where the inline document stands", "[kv_dtype]") {
  CHECK(resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": "FP8"}})", "not JSON").name == "fp8_e4m3");
}

TEST_CASE("scheme comes before algorithm and inside before outside", "[kv_dtype]") {
  CHECK(
      resolve(
          R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_scheme": "FP8", "quantization": {"kv_cache_scheme": "NVFP4"}}})")
          .name == "nvfp4");
  CHECK(
      resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_scheme": "NVFP4", "kv_cache_quant_algo": "FP8"}})").name ==
      "nvfp4");
  CHECK(resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_scheme": [], "kv_cache_quant_algo": "FP8"}})").name ==
        "fp8_e4m3");
  CHECK(resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_scheme": 0.0, "kv_cache_quant_algo": "FP8"}})").name ==
        "fp8_e4m3");
}

TEST_CASE("a scheme that is true by Python's rules is taken before the algorithm, a negative number too", "[kv_dtype]") {
  for (const char* const taken : {"true", "1", "-1", "-0.5", "[0]", "\" \"", "{\"a\": 0}"}) {
    INFO(taken);
    std::string const config = std::string(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_scheme": )") + taken +
                               R"(, "kv_cache_quant_algo": "FP8"}})";
    CHECK(resolve(config.c_str()).name == "auto");
  }
}

TEST_CASE("a scheme is compared as Python compares", "[kv_dtype]") {
  auto const name = [](const std::string& scheme) {
    return resolve((R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_scheme": )" + scheme + "}}").c_str()).name;
  };
  CHECK(name(R"({"num_bits": 8, "type": "float", "dynamic": 0})") == "auto");
  CHECK(name(R"({"num_bits": 8, "type": "float", "dynamic": null})") == "auto");
  CHECK(name(R"({"num_bits": "8", "type": "float", "dynamic": false})") == "auto");
  CHECK(name(R"({"num_bits": 8, "type": "FLOAT", "dynamic": false})") == "auto");
  CHECK(name(R"({"num_bits": 4.0, "type": "float"})") == "nvfp4");
  CHECK(name(R"({"num_bits": 4, "type": "int"})") == "auto");
}

TEST_CASE("malformed documents are refused with document and field", "[kv_dtype]") {
  CHECK(refusal_of_documents("[]").find("config.json: [] is not an object") != std::string::npos);
  CHECK(refusal_of_documents(R"({"quantization_config": false})").find("config.json: quantization_config: false") != std::string::npos);
  CHECK(refusal_of_documents("{}", "7").find("hf_quant_config.json: document: 7") != std::string::npos);
  CHECK(refusal_of_documents(R"({"quantization_config": {"quant_method": 8}})").find("quantization_config.quant_method: 8") !=
        std::string::npos);
  CHECK(refusal_of_documents("{}", R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": 8}})")
            .find("hf_quant_config.json: quantization.quant_algo: 8") != std::string::npos);
  CHECK(refusal_of_documents(R"({"quantization_config": {"quant_method": "fp8", "producer": "modelopt"}})")
            .find("quantization_config.producer:") != std::string::npos);
}

TEST_CASE("what the injection writes makes a null quant_method harmless", "[kv_dtype]") {
  CHECK(
      resolve(
          R"({"quantization_config": {"quant_method": null, "producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}}})")
          .name == "fp8_e4m3");
}

TEST_CASE("a scheme of compressed-tensors keeps the name auto and stores fp8", "[kv_dtype]") {
  for (const char* const method : {"compressed-tensors", "compressed_tensors", "Compressed-Tensors"}) {
    std::string const config = std::string(R"({"quantization_config": {"quant_method": ")") + method +
                               R"(", "kv_cache_scheme": {"num_bits": 8, "type": "float", "strategy": "tensor", "symmetric": true}}})";
    KvDtype const dtype = resolve(config.c_str());
    CHECK(dtype.name == "auto");
    CHECK(dtype.origin == KvDtypeOrigin::checkpoint);
    CHECK(dtype.storage == KvStorage::fp8_e4m3);
    CHECK(refusal_of_route(dtype, "auto") == "nothing was refused");
    CHECK(resolve(config.c_str(), nullptr, "bfloat16").storage == KvStorage::bfloat16);
  }
  CHECK(resolve(compressed("null").c_str()).storage == KvStorage::bfloat16);
}

TEST_CASE("a scheme of compressed-tensors that is not routed is refused by name, later", "[kv_dtype]") {
  struct Case {
    const char* scheme;
    const char* reason;
  };
  for (const Case& c :
       {Case{R"({"num_bits": 4, "type": "float", "strategy": "tensor", "symmetric": true})", "num_bits 4"},
        Case{R"({"num_bits": 8, "type": "int", "strategy": "tensor", "symmetric": true})", "type \"int\""},
        Case{R"({"num_bits": 8, "type": "float", "strategy": "tensor", "symmetric": false})", "not symmetric"},
        Case{R"({"num_bits": 8, "type": "float", "strategy": "channel", "symmetric": true})", "strategy \"channel\""},
        Case{R"({"num_bits": 8, "type": "float", "strategy": "attn_head", "symmetric": true})", "per-head scales"},
        Case{R"({"num_bits": 8, "type": "float", "strategy": "tensor", "symmetric": true, "dynamic": true})", "at run time"},
        Case{"7", "not an object"}}) {
    KvDtype const dtype = resolve(compressed(c.scheme).c_str());
    INFO(c.scheme);
    CHECK(dtype.name == "auto");
    CHECK_FALSE(dtype.storage.has_value());
    CHECK(refusal_of_route(dtype, "auto").find(c.reason) != std::string::npos);
  }
}

TEST_CASE("per-head scales, run-time scales and skipped layers keep their dtype's name and are refused by name", "[kv_dtype]") {
  struct Case {
    const char* fields;
    const char* reason;
  };
  for (const Case& c :
       {Case{R"("kv_cache_scheme": {"num_bits": 8, "type": "float", "dynamic": false, "strategy": "attn_head"})", "per-head scales"},
        Case{R"("kv_cache_quant_algo": "FP8", "calculate_kv_scales": true)", "scale calculation at run time"},
        Case{R"("kv_cache_quant_algo": "FP8", "kv_cache_dtype_skip_layers": ["0"])", "skipped layers"}}) {
    std::string const config = std::string(R"({"quantization_config": {"quant_method": "modelopt", )") + c.fields + "}}";
    KvDtype const dtype = resolve(config.c_str());
    INFO(config);
    CHECK(dtype.name == "fp8_e4m3");
    CHECK(dtype.origin == KvDtypeOrigin::checkpoint);
    CHECK_FALSE(dtype.storage.has_value());
    CHECK(refusal_of_route(dtype, "auto").find(c.reason) != std::string::npos);
  }
}

TEST_CASE("a refusal of the route names the architecture and the flag", "[kv_dtype]") {
  std::string const typed = refusal_of_route(resolve(undeclared, nullptr, "nvfp4"), "nvfp4", "Qwen3ForCausalLM");
  CHECK(typed.find("Qwen3ForCausalLM") != std::string::npos);
  CHECK(typed.find("--kv-cache-dtype nvfp4") != std::string::npos);
  KvDtype const declared = resolve(R"({"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": "NVFP4"}})");
  std::string const resolved = refusal_of_route(declared, "auto");
  CHECK(resolved.find("--kv-cache-dtype auto (the checkpoint declares nvfp4)") != std::string::npos);
  CHECK(refusal_of_route(resolve(undeclared, nullptr, "fp8"), "fp8", "GPT2LMHeadModel").find("GPT2LMHeadModel with --kv-cache-dtype fp8") ==
        0);
}

TEST_CASE("every architecture is routed for both storages", "[kv_dtype]") {
  for (const char* const name : {"LlamaForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM", "MistralForCausalLM"}) {
    for (const char* const flag : {"auto", "bfloat16", "fp8", "fp8_e4m3"}) {
      CHECK(refusal_of_route(resolve(undeclared, nullptr, flag), flag, name) == "nothing was refused");
    }
  }
}

}  // namespace redproof::tests
