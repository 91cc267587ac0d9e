#include <string>

#include "oracle/resolution/kv_dtype.h"
#include "tests/catch.h"

using namespace redproof::oracle;

namespace {

KvDtypeTruth inline_truth(const std::string& quantization_config) {
  return kv_dtype_truth("{\"quantization_config\":" + quantization_config + "}", std::nullopt, "auto");
}

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

}  // namespace

TEST_CASE("the rules give every settled case of the table", "[kv_dtype]") {
  int rows = 0;
  for (auto const& row : kv_dtype_rows()) {
    auto const truth = kv_dtype_truth(row.config_json, row.hf_quant_config, row.flag);
    CAPTURE(row.id, truth.why);
    CHECK(truth.result == row.result);
    CHECK(truth.warns == row.warns);
    CHECK(truth.why.empty() == (truth.result != refused));
    ++rows;
  }
  CHECK(rows > 85);
}

TEST_CASE("the rules give every settled case of the attention layer", "[kv_dtype]") {
  for (auto const& row : effective_kv_dtype_rows()) {
    CAPTURE(row.id);
    auto const effective = effective_kv_dtype(row.config_json, row.hf_quant_config, row.flag);
    CHECK(effective.result == row.result);
    CHECK(effective.asks == row.asks);
  }
}

TEST_CASE("outside compressed-tensors the attention layer changes nothing", "[kv_dtype]") {
  for (auto const& row : kv_dtype_rows()) {
    if (row.id == "T72") continue;  // the one compressed-tensors scheme under auto
    CAPTURE(row.id);
    CHECK(effective_kv_dtype(row.config_json, row.hf_quant_config, row.flag).result == row.result);
  }
}

TEST_CASE("a declaration that is false by Python's rules is passed over", "[kv_dtype]") {
  for (auto const* empty : {"null", "false", "0", "0.0", "-0.0", "\"\"", "[]", "{}"}) {
    CAPTURE(empty);
    auto const scheme = std::string(R"({"quant_method":"modelopt","kv_cache_scheme":)") + empty + R"(,"kv_cache_quant_algo":"FP8"})";
    CHECK(inline_truth(scheme).result == "fp8_e4m3");
  }
  for (auto const* taken : {"true", "1", "-1", "-0.5", "[0]", "\" \"", "{\"a\":0}"}) {
    CAPTURE(taken);
    auto const scheme = std::string(R"({"quant_method":"modelopt","kv_cache_scheme":)") + taken + R"(,"kv_cache_quant_algo":"FP8"})";
    CHECK(inline_truth(scheme).result == "auto");
  }
}

TEST_CASE("an empty name in the last place still warns, other empty values do not", "[kv_dtype]") {
  CHECK(inline_truth(R"({"quant_method":"modelopt","kv_cache_quant_algo":""})").warns);
  CHECK_FALSE(inline_truth(R"({"quant_method":"modelopt","kv_cache_quant_algo":0})").warns);
}

TEST_CASE("an empty inline object hides the legacy file", "[kv_dtype]") {
  auto const* const legacy = R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"FP8","kv_cache_quant_algo":"FP8"}})";
  CHECK(kv_dtype_truth(R"({"quantization_config":{}})", legacy, "auto").result == "auto");
  CHECK(kv_dtype_truth(R"({})", legacy, "auto").result == "fp8_e4m3");
}

TEST_CASE("a typed flag is taken without a look at documents, even broken ones", "[kv_dtype]") {
  CHECK(kv_dtype_truth("{", "[", "fp8").result == "fp8");
  CHECK(kv_dtype_truth("{", std::nullopt, "auto").result == refused);
}

TEST_CASE("documents that are no JSON objects, too deep or with duplicate keys are refused", "[kv_dtype]") {
  CHECK(kv_dtype_truth("[]", std::nullopt, "auto").result == refused);
  CHECK(kv_dtype_truth("{}", "[]", "auto").result == refused);
  CHECK(kv_dtype_truth(R"({"a":1,"a":1})", std::nullopt, "auto").why == "config.json: duplicate key a");
  CHECK(kv_dtype_truth(R"({"a":{"b":1},"c":{"b":1}})", std::nullopt, "auto").result == "auto");
  CHECK(kv_dtype_truth("{\"a\":" + nested(63) + "}", std::nullopt, "auto").result == "auto");
  CHECK(kv_dtype_truth("{\"a\":" + nested(64) + "}", std::nullopt, "auto").result == refused);
  CHECK(kv_dtype_truth("{\"a\":" + nested(100'000) + "}", std::nullopt, "auto").result == refused);
  CHECK(kv_dtype_truth("{\"a\":\"\xFF\"}", std::nullopt, "auto").result == refused);
  CHECK(inline_truth("7").result == refused);
}

TEST_CASE("a refusal names the field", "[kv_dtype]") {
  CHECK(inline_truth(R"({"quant_method":7})").why.find("quant_method") != std::string::npos);
  CHECK(inline_truth(R"({"producer":null})").why.find("producer") != std::string::npos);
  auto const unknown = inline_truth(R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"mxfp8"}})");
  CHECK(unknown.why.find("quant_algo") != std::string::npos);
  CHECK(unknown.why.find("MXFP8") != std::string::npos);
}
