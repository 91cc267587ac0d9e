// Every settled row of documents and flag, on a real directory, through the loader's plan.
#include "oracle/resolution/kv_dtype.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

std::string quoted(const std::optional<std::string_view>& text) { return text ? std::string(*text) : "absent"; }

void check_row(const oracle::KvDtypeRow& row, Tally& tally) {
  CheckpointOptions options;
  options.weights = WeightsFile::absent;
  if (row.config_json) options.extra_config = std::string(*row.config_json);
  if (row.hf_quant_config) options.hf_quant_config = std::string(*row.hf_quant_config);
  CheckpointDir const dir(options);
  auto const planned = plan_directory(dir.path(), std::string(row.flag));
  std::string const observed = planned.refused ? std::string(oracle::refused) : planned.plan.kv_dtype.name;
  bool const warned = !planned.refused && !planned.plan.kv_dtype.warning.empty();
  std::string const inputs = "flag " + std::string(row.flag) + ", config.json " + quoted(row.config_json) + ", hf_quant_config.json " +
                             quoted(row.hf_quant_config);
  tally.count(row.result == oracle::refused ? "refused rows" : row.result == "auto" ? "undeclared rows" : "declared rows");
  if (tally.equal(observed == row.result)) {
    tally.witness(
        {"row " + std::string(row.id), inputs, observed + (planned.refused ? " (" + planned.message + ")" : ""), std::string(row.result)});
  }
  if (row.result == oracle::refused) return;
  tally.count(row.warns ? "rows that warn" : "silent rows");
  if (tally.equal(warned == row.warns)) {
    tally.witness({"row " + std::string(row.id) + ", warning", inputs, warned ? planned.plan.kv_dtype.warning : "none",
                   row.warns ? "a warning" : "none"});
  }
}

}  // namespace

LawVerdict kv_dtype_is_resolved() {
  Law law{"kv_dtype_is_resolved", "cpu", "exact: the row's dtype name, refusal and warning"};
  law.floors = {{"declared rows", 20}, {"undeclared rows", 20}, {"refused rows", 8}, {"rows that warn", 10}, {"silent rows", 40}};
  law.separates = {"resolve/declaration_unread", "resolve/nested_marker", "resolve/producer_without_algo"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& row : oracle::kv_dtype_rows()) check_row(row, tally);
  });
}

}  // namespace redproof::properties
