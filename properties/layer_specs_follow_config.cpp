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
      {Family::qwen3, {24, 0, 24, 0, 24, 0, 24, 0, 24, 0, 24, 24}},
      {Family::qwen2, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 24}},
  };
  return all;
}

template <typename T>
void check(const std::string& where, const std::string& inputs, T observed, T truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, std::to_string(observed), std::to_string(truth)});
}

int number(engine::KvStorage storage) { return static_cast<int>(storage); }

// What was asked for.
struct Asked {
  engine::KvStorage storage;
  std::int32_t block_tokens;
};

void check_layer(const engine::KvLayer& layer, const CheckpointOptions& options, std::size_t index, const Asked& asked,
                 const std::string& inputs, Tally& tally) {
  std::string const where = "layer " + std::to_string(index) + " ";
  std::int64_t const window = options.windows.empty() ? 0 : options.windows[index];
  check(where + "storage", inputs, number(layer.spec.storage), number(asked.storage), tally);
  check(where + "K storage", inputs, number(layer.k.storage), number(asked.storage), tally);
  check(where + "V storage", inputs, number(layer.v.storage), number(asked.storage), tally);
  check(where + "kv_heads", inputs, layer.spec.kv_heads, options.kv_heads, tally);
  check(where + "head_dim", inputs, layer.spec.head_dim, options.head_dim, tally);
  check(where + "window_tokens", inputs, layer.spec.window_tokens, window, tally);
  check(where + "block_tokens", inputs, layer.spec.block_tokens, asked.block_tokens, tally);
  check(where + "block_tokens of K's pages", inputs, layer.k.block_tokens, asked.block_tokens, tally);
  check(where + "block_tokens of V's pages", inputs, layer.v.block_tokens, asked.block_tokens, tally);
  tally.count(window == 0 ? "full layers" : "sliding layers");
  if (index >= 10) tally.count("layers past the tenth");
}

void check_engine(const CheckpointDir& dir, const CheckpointOptions& options, const Asked& asked, Tally& tally) {
  std::string const flag = asked.storage == engine::KvStorage::fp8_e4m3 ? "fp8" : "bfloat16";
  std::string const inputs =
      std::string(family_name(options.family)) + " --kv-cache-dtype " + flag + " --block-size " + std::to_string(asked.block_tokens);
  auto load = engine_options(dir.path(), flag);
  load.block_tokens = asked.block_tokens;
  auto loaded = load_engine(load);
  if (loaded.refused) {
    if (tally.equal(false)) tally.witness({"load", inputs, loaded.message, "loaded"});
    return;
  }
  if (asked.block_tokens != engine::default_block_tokens) tally.count("other block sizes");
  auto& cache = loaded.engine.front().cache();
  check<std::size_t>("layers", inputs, cache.layers(), static_cast<std::size_t>(options.layers), tally);
  for (std::size_t i = 0; i < cache.layers(); ++i) check_layer(cache.layer(i), options, i, asked, inputs, tally);
}

}  // namespace

LawVerdict layer_specs_follow_config() {
  Law law{"layer_specs_follow_config", "cpu", "exact: the configuration's own numbers"};
  law.floors = {{"full layers", 132}, {"sliding layers", 84}, {"other block sizes", 24}, {"layers past the tenth", 24}};
  law.separates = {"specs/sliding_not_retyped", "specs/block_size_ignored"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& one : cases()) {
      CheckpointOptions options;
      options.family = one.family;
      options.windows = one.windows;
      if (!one.windows.empty()) options.layers = static_cast<std::int32_t>(one.windows.size());
      CheckpointDir const dir(options);
      for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
        for (std::int32_t const block_tokens : {engine::default_block_tokens, 5, 1}) {
          check_engine(dir, options, {storage, block_tokens}, tally);
        }
      }
    }
  });
}

}  // namespace redproof::properties
