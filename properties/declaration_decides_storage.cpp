// What the documents of a directory and the flag come to in an engine that is loaded: the storage of every layer's pages, or a refusal
// that names the word of the document which asks for more. A declaration that is taken is announced once a load, and no other is.
#include "oracle/resolution/kv_dtype.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using Row = oracle::EffectiveKvDtypeRow;

CheckpointOptions options_of(const Row& row) {
  CheckpointOptions options;
  options.layers = 2;
  options.hidden = options.intermediate = 8;
  options.vocab = 5;
  if (row.config_json) options.extra_config = std::string(*row.config_json);
  if (row.hf_quant_config) options.hf_quant_config = std::string(*row.hf_quant_config);
  return options;
}

// What no kernel does is refused too: a word that asks for more, and every dtype but bfloat16 and fp8_e4m3.
std::string truth_of(const Row& row) {
  if (row.result == oracle::refused || row.result == "nvfp4") return "refused";
  if (!row.asks.empty()) return "refused, naming " + std::string(row.asks);
  return row.result.starts_with("fp8") ? "fp8_e4m3" : "bfloat16";
}

std::string storage_of(const engine::KvLayer& layer) {
  bool const fp8 = layer.spec.storage == engine::KvStorage::fp8_e4m3;
  if (layer.k.storage != layer.spec.storage || layer.v.storage != layer.spec.storage) return "pages that disagree with their spec";
  return fp8 ? "fp8_e4m3" : "bfloat16";
}

std::string observed_of(const Row& row, Loaded& loaded) {
  if (loaded.refused) {
    bool const named = !row.asks.empty() && loaded.message.find(row.asks) != std::string::npos;
    return named ? "refused, naming " + std::string(row.asks) : "refused";
  }
  auto& cache = loaded.engine.front().cache();
  std::string const first = storage_of(cache.layer(0));
  for (std::size_t i = 1; i < cache.layers(); ++i) {
    if (storage_of(cache.layer(i)) != first) return "layers that differ";
  }
  return first;
}

void check_row(const Row& row, Tally& tally) {
  CheckpointDir const dir(options_of(row));
  auto loaded = load_directory(dir.path(), std::string(row.flag));
  std::string const truth = truth_of(row);
  std::string const observed = observed_of(row, loaded);
  std::string const inputs = "flag " + std::string(row.flag) + ", config.json " + std::string(row.config_json.value_or("absent")) +
                             ", hf_quant_config.json " + std::string(row.hf_quant_config.value_or("absent"));
  tally.count(row.asks.empty() ? truth : "asks for more");
  if (tally.equal(observed == truth)) {
    tally.witness({"row " + std::string(row.id), inputs, observed + (loaded.refused ? " (" + loaded.message + ")" : ""), truth});
  }
  std::size_t announced = 0;
  for (auto const& line : loaded.announcements) announced += line.find("declared by the checkpoint") != std::string::npos ? 1 : 0;
  std::size_t const taken = truth == "fp8_e4m3" && row.flag == "auto" ? 1 : 0;
  if (taken == 1) tally.count("announced");
  if (tally.equal(announced == taken)) {
    tally.witness({"row " + std::string(row.id) + ", announcements", inputs, std::to_string(announced), std::to_string(taken)});
  }
}

}  // namespace

LawVerdict declaration_decides_storage() {
  Law law{"declaration_decides_storage", "cpu", "exact: storage or refusal, the word in the message, announcements counted"};
  law.floors = {{"fp8_e4m3", 16}, {"bfloat16", 5}, {"refused", 17}, {"asks for more", 30}, {"announced", 14}};
  law.separates = {"flag/announced_once_a_process",
                   "resolve/dynamic_word_taken",
                   "resolve/empty_scheme_ignored",
                   "resolve/integer_scheme_taken",
                   "resolve/outer_requests_ignored",
                   "resolve/request_of_1_ignored",
                   "resolve/requests_beside_scheme_ignored",
                   "resolve/skipped_layers_by_name_ignored",
                   "resolve/strategy_absent_taken",
                   "resolve/symmetric_absent_taken",
                   "resolve/underscore_unknown"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& row : oracle::effective_kv_dtype_rows()) check_row(row, tally);
  });
}

}  // namespace redproof::properties
