// Every settled row of documents and flag, on a real directory, through the loader's plan; and the warning, where there is one, in what
// `inspect` prints.
#include "oracle/resolution/kv_dtype.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"
#include "properties/subjects/engine_program.h"

namespace redproof::properties {
namespace {

std::string quoted(const std::optional<std::string_view>& text) { return text ? std::string(*text) : "absent"; }

// A declaration of fp8 that asks for no more than the dtype.
bool takes_declaration(const oracle::KvDtypeRow& row) {
  auto const effective = oracle::effective_kv_dtype(row.config_json, row.hf_quant_config, row.flag);
  return row.flag == "auto" && effective.result.starts_with("fp8") && effective.asks.empty();
}

// What the loader says of a row: its warning, once, exactly where there is one; that a declaration was taken, once, exactly where pages
// will store it; and nothing else.
void check_said(const oracle::KvDtypeRow& row, const Planned& planned, const std::string& inputs, Tally& tally) {
  auto const& warning = planned.plan.kv_dtype.warning;
  std::size_t warnings = 0;
  std::size_t declared = 0;
  std::size_t others = 0;
  for (auto const& line : planned.announcements) {
    if (line == warning) {
      ++warnings;
    } else if (line == "kv cache dtype: fp8_e4m3 (declared by the checkpoint)") {
      ++declared;
    } else {
      ++others;
    }
  }
  bool const taken = takes_declaration(row);
  if (taken) tally.count("declarations said");
  tally.count(row.warns ? "warnings said" : "rows that say no warning");
  if (tally.equal(warnings == (row.warns ? 1U : 0U) && declared == (taken ? 1U : 0U) && others == 0)) {
    tally.witness({"row " + std::string(row.id) + ", lines said", inputs,
                   std::to_string(warnings) + " of the warning, " + std::to_string(declared) + " of a declaration, " +
                       std::to_string(others) + " others",
                   row.warns ? "the warning, once"
                   : taken   ? "the declaration, once"
                             : "nothing"});
  }
}

// Where something would be said, nothing is before a refusal: here of a pool that holds no block.
void check_refused_plan(const oracle::KvDtypeRow& row, const CheckpointDir& dir, const std::string& inputs, Tally& tally) {
  if (!row.warns && !takes_declaration(row)) return;
  engine::KvPoolRequest pool;
  pool.memory_bytes = 7;
  auto const planned = plan_directory(dir.path(), std::string(row.flag), pool);
  tally.count("refused plans");
  if (tally.equal(planned.refused && planned.announcements.empty())) {
    tally.witness({"row " + std::string(row.id) + ", --kv-cache-memory 7", inputs, std::to_string(planned.announcements.size()) + " lines",
                   "a refusal, 0 lines"});
  }
}

// Where the declaration stands that a warning speaks of: file and field.
std::string place_of(const oracle::KvDtypeRow& row) {
  bool const inlined = row.config_json && row.config_json->find("quantization_config") != std::string_view::npos;
  return inlined ? "/config.json: quantization_config.kv_cache_" : "/hf_quant_config.json: kv_cache_";
}

void check_warning(const oracle::KvDtypeRow& row, const CheckpointDir& dir, const std::string& warning, const std::string& inputs,
                   Tally& tally) {
  std::string const place = dir.path().string() + place_of(row);
  tally.count(place.find("hf_quant_config") != std::string::npos ? "warnings of hf_quant_config.json" : "warnings of config.json");
  if (tally.equal(warning.starts_with(place))) tally.witness({"row " + std::string(row.id) + ", warning", inputs, warning, place + "..."});
  // The JSON report escapes quotes of the warning: it is looked for up to the first.
  std::string const quoteless = warning.substr(0, warning.find('"'));
  auto const text = run_engine({"inspect", "--model", dir.path().string()});
  auto const json = run_engine({"inspect", "--model", dir.path().string(), "--json"});
  tally.count("warnings of inspect", 2);
  if (tally.equal(lines_with(text.out, "warning: " + warning) == 1 && lines_with(text.out, "warning: ") == 1)) {
    tally.witness({"row " + std::string(row.id) + ", inspect", inputs, text.out + text.err, "one line of warning: " + warning});
  }
  if (tally.equal(lines_with(json.out, "\"warning\": \"" + quoteless) == 1)) {
    tally.witness({"row " + std::string(row.id) + ", inspect --json", inputs, json.out + json.err, "warning: " + quoteless});
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
  check_refused_plan(row, dir, inputs, tally);
  if (row.warns) check_warning(row, dir, planned.plan.kv_dtype.warning, inputs, tally);
}

}  // namespace

LawVerdict kv_dtype_is_resolved() {
  Law law{"kv_dtype_is_resolved", "cpu", "exact: the row's dtype name, refusal and warning"};
  law.floors = {{"declared rows", 20},
                {"undeclared rows", 20},
                {"refused rows", 10},
                {"rows that warn", 16},
                {"silent rows", 40},
                {"warnings said", 16},
                {"declarations said", 18},
                {"refused plans", 34},
                {"warnings of config.json", 14},
                {"warnings of hf_quant_config.json", 2},
                {"warnings of inspect", 32}};
  law.separates = {"resolve/declaration_unread",    "resolve/warning_unsaid",         "resolve/nested_marker",
                   "resolve/producer_without_algo", "resolve/bits_as_text_taken",     "resolve/documents_read_despite_flag",
                   "resolve/mixed_case_unknown",    "resolve/outer_scheme_first",     "resolve/per_channel_unknown",
                   "resolve/warning_not_inspected", "resolve/warning_without_prefix", "flag/announced_before_sizes",
                   "flag/unrouted_is_announced"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& row : oracle::kv_dtype_rows()) check_row(row, tally);
  });
}

}  // namespace redproof::properties
