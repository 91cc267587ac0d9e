#include <algorithm>
#include <set>
#include <string_view>

#include "oracle/resolution/kv_dtype.h"
#include "tests/catch.h"

using namespace redproof::oracle;

TEST_CASE("the attention layer's table has every case once, every result and every word that asks for more", "[kv_dtype]") {
  std::set<std::string_view> ids;
  std::set<std::string_view> results;
  std::set<std::string_view> words;
  for (auto const& row : effective_kv_dtype_rows()) {
    CAPTURE(row.id);
    CHECK(ids.insert(row.id).second);
    CHECK((row.asks.empty() || row.result.starts_with("fp8")));
    results.insert(row.result);
    words.insert(row.asks);
  }
  CHECK(results == std::set<std::string_view>{"auto", "bfloat16", "fp8", "fp8_e4m3", "nvfp4", refused});
  CHECK(words == std::set<std::string_view>{"", "attn_head", "dynamic", "calculate_kv_scales", "kv_cache_dtype_skip_layers"});
}

TEST_CASE("each word stands alone, inside and outside of a nested document, and in the legacy file", "[kv_dtype]") {
  auto const rows = effective_kv_dtype_rows();
  for (std::string_view const word : {"calculate_kv_scales", "kv_cache_dtype_skip_layers"}) {
    for (std::string_view const group : {"G1", "G3", "G4", "G5", "G6"}) {
      auto const here = [&](const EffectiveKvDtypeRow& row) { return row.id.starts_with(group) && row.asks == word; };
      CHECK(std::count_if(rows.begin(), rows.end(), here) == 3);
    }
  }
}
