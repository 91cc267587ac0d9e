#include <algorithm>
#include <set>
#include <string>

#include "oracle/resolution/kv_dtype.h"
#include "tests/catch.h"

using namespace redproof::oracle;

TEST_CASE("the table has every settled case once and every kind of result", "[kv_dtype]") {
  std::set<std::string_view> ids;
  std::set<std::string_view> results;
  for (auto const& row : kv_dtype_rows()) {
    CHECK(ids.insert(row.id).second);
    if (row.flag == "auto") results.insert(row.result);
  }
  auto const settled = std::count_if(ids.begin(), ids.end(), [](std::string_view id) { return id.starts_with("T"); });
  CHECK(settled == 70);
  CHECK(ids.size() > 85);
  CHECK(results == std::set<std::string_view>{"auto", "fp8_e4m3", "nvfp4", refused});
}

TEST_CASE("the table has the flag rows F1 to F9 and both documents at once", "[kv_dtype]") {
  auto const rows = kv_dtype_rows();
  for (int flag = 1; flag <= 9; ++flag) {
    auto const id = "F" + std::to_string(flag);
    auto const same = [&](const KvDtypeRow& row) { return row.id == id || row.id.starts_with(id + "-"); };
    CHECK(std::any_of(rows.begin(), rows.end(), same));
  }
  auto const both = [](const KvDtypeRow& row) { return row.config_json && row.hf_quant_config; };
  CHECK(std::count_if(rows.begin(), rows.end(), both) > 20);
}

TEST_CASE("only a declaration that could not be used warns", "[kv_dtype]") {
  for (auto const& row : kv_dtype_rows()) {
    CAPTURE(row.id);
    CHECK((!row.warns || (row.result == "auto" && row.flag == "auto")));
  }
}
