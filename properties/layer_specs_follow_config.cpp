// Every layer's spec and pages follow the configuration: storage from the resolved dtype in every layer, heads, head_dim, and each
// layer's own window.
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

struct Case {
  Family family;
  std::vector<std::int64_t> windows;  // [layers]; empty: full attention
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {Family::llama, {}},
      {Family::qwen2, {0, 0, 24}},
      {Family::qwen3, {0, 24, 0}},
      {Family::mistral, {24, 24, 24}},
  };
  return all;
}

template <typename T>
void check(const std::string& where, const std::string& inputs, T observed, T truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, std::to_string(observed), std::to_string(truth)});
}

int number(engine::KvStorage storage) { return static_cast<int>(storage); }

void check_layer(const engine::KvLayer& layer, const CheckpointOptions& options, std::size_t index, engine::KvStorage storage,
                 const std::string& inputs, Tally& tally) {
  std::string const where = "layer " + std::to_string(index) + " ";
  std::int64_t const window = options.windows.empty() ? 0 : options.windows[index];
  check(where + "storage", inputs, number(layer.spec.storage), number(storage), tally);
  check(where + "K storage", inputs, number(layer.k.storage), number(storage), tally);
  check(where + "V storage", inputs, number(layer.v.storage), number(storage), tally);
  check(where + "kv_heads", inputs, layer.spec.kv_heads, options.kv_heads, tally);
  check(where + "head_dim", inputs, layer.spec.head_dim, options.head_dim, tally);
  check(where + "window_tokens", inputs, layer.spec.window_tokens, window, tally);
  check(where + "block_tokens", inputs, layer.spec.block_tokens, engine::default_block_tokens, tally);
  tally.count(window == 0 ? "full layers" : "sliding layers");
}

}  // namespace

LawVerdict layer_specs_follow_config() {
  Law law{"layer_specs_follow_config", "cpu", "exact: the configuration's own numbers"};
  law.floors = {{"full layers", 14}, {"sliding layers", 10}};
  law.separates = {"specs/sliding_not_retyped"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& one : cases()) {
      for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
        CheckpointOptions options;
        options.family = one.family;
        options.windows = one.windows;
        CheckpointDir const dir(options);
        std::string const flag = storage == engine::KvStorage::fp8_e4m3 ? "fp8" : "bfloat16";
        std::string const inputs = std::string(family_name(one.family)) + " --kv-cache-dtype " + flag;
        auto loaded = load_directory(dir.path(), flag);
        if (loaded.refused) {
          if (tally.equal(false)) tally.witness({"load", inputs, loaded.message, "loaded"});
          continue;
        }
        auto& cache = loaded.engine.front().cache();
        check<std::size_t>("layers", inputs, cache.layers(), static_cast<std::size_t>(options.layers), tally);
        for (std::size_t i = 0; i < cache.layers(); ++i) check_layer(cache.layer(i), options, i, storage, inputs, tally);
      }
    }
  });
}

}  // namespace redproof::properties
