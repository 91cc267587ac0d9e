// Every settled row of documents and flag, on a real directory, through the loader's plan.
#include "oracle/resolution/kv_dtype.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

std::string quoted(const std::optional<std::string_view>& text) { return text ? std::string(*text) : "absent"; }

// What the loader says of a row: its warning, once, exactly where there is one, and otherwise nothing but that a declaration was taken.
void check_said(const oracle::KvDtypeRow& row, const Planned& planned, const std::string& inputs, Tally& tally) {
  auto const& warning = planned.plan.kv_dtype.warning;
  std::size_t warnings = 0;
  std::size_t others = 0;
  for (auto const& line : planned.announcements) {
    if (line == warning) {
      ++warnings;
    } else if (line.find("declared by the checkpoint") == std::string::npos) {
      ++others;
    }
  }
  tally.count(row.warns ? "warnings said" : "rows that say no warning");
  if (tally.equal(warnings == (row.warns ? 1U : 0U) && others == 0)) {
    tally.witness({"row " + std::string(row.id) + ", lines said", inputs,
                   std::to_string(warnings) + " of the warning, " + std::to_string(others) + " others",
                   row.warns ? "the warning, once" : "no warning"});
  }
}

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
  check_said(row, planned, inputs, tally);
}

}  // namespace

LawVerdict kv_dtype_is_resolved() {
  Law law{"kv_dtype_is_resolved", "cpu", "exact: the row's dtype name, refusal and warning"};
  law.floors = {{"declared rows", 20},  {"undeclared rows", 20}, {"refused rows", 8},
                {"rows that warn", 10}, {"silent rows", 40},     {"warnings said", 10}};
  law.separates = {"resolve/declaration_unread", "resolve/warning_unsaid", "resolve/nested_marker", "resolve/producer_without_algo"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& row : oracle::kv_dtype_rows()) check_row(row, tally);
  });
}

}  // namespace redproof::properties
