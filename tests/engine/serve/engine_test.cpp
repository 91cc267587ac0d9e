#include "engine/serve/engine.h"

#include <algorithm>

#include "engine/types/error.h"
#include "tests/catch.h"
#include "tests/engine/model/generated.h"

using namespace redproof::engine;
using namespace redproof::tests;
using redproof::properties::CheckpointOptions;
using redproof::properties::WeightsFile;

namespace {

using Prompts = std::vector<std::vector<std::int32_t>>;

Prompts some_prompts() { return {some_tokens(9, 67, 1), some_tokens(1, 67, 2), some_tokens(21, 67, 3)}; }

struct Loaded {
  std::vector<std::string> lines;
  std::string refusal;
};

Loaded load(const CheckpointOptions& options, const std::string& flag) {
  const Generated generated(options);
  EngineOptions engine_options = generated.engine();
  engine_options.kv_cache_dtype = flag;
  Loaded loaded;
  engine_options.announce = [&](const std::string& line) { loaded.lines.push_back(line); };
  loaded.refusal = refusal_of([&] { Engine::load(engine_options); });
  return loaded;
}

CheckpointOptions declared() {
  CheckpointOptions options;
  options.quantization_config = redproof::properties::modelopt_fp8_inline;
  options.k_scales = {0.06F, 0.05F, 0.07F};
  options.v_scales = {0.35F, 0.3F, 0.4F};
  return options;
}

const std::string nothing = "nothing was refused";

}  // namespace

TEST_CASE("generation depends neither on chunk size nor on which prompts share the batch", "[engine]") {
  for (const auto& [name, options] : every_family()) {
    const Generated generated(options);
    std::vector<Generation> first;
    for (const std::int64_t chunk : {512, 5, 2, 1}) {
      EngineOptions engine_options = generated.engine();
      engine_options.chunk_tokens = chunk;
      engine_options.kv_cache_dtype = "fp8";
      Engine engine = Engine::load(engine_options);
      const auto together = engine.generate(some_prompts(), 12, true, true);
      CAPTURE(name, chunk);
      REQUIRE(together.size() == 3);
      if (first.empty()) first = together;
      for (std::size_t i = 0; i < 3; ++i) {
        CHECK(together[i].tokens.size() == 12);
        CHECK(together[i].tokens == first[i].tokens);
        CHECK(together[i].logits == first[i].logits);
        const auto alone = engine.generate({some_prompts()[i]}, 12, true, true);
        CHECK(alone[0].logits == first[i].logits);
      }
    }
  }
}

TEST_CASE("each token is the lowest id of the largest logit", "[engine]") {
  const Generated generated({});
  Engine engine = Engine::load(generated.engine());
  for (const Generation& generation : engine.generate(some_prompts(), 8, true, true)) {
    for (std::size_t i = 0; i < generation.tokens.size(); ++i) {
      const auto& logits = generation.logits[i];
      CHECK(generation.tokens[i] == std::max_element(logits.begin(), logits.end()) - logits.begin());
    }
  }
}

TEST_CASE("of equal logits the lowest id is taken", "[engine]") {
  CheckpointOptions options;
  options.extra_tensors = {{"lm_head.weight", {67, 48}, std::vector<float>(67 * 48, 0.5F)}};  // every logit alike
  options.tied = true;
  options.extra_config = R"({"tie_word_embeddings": false})";
  const Generated generated(options);
  const Generation generation = Engine::load(generated.engine()).generate({{4, 5}}, 2, true, true)[0];
  CHECK(generation.logits[0] == std::vector<float>(67, generation.logits[0][0]));
  CHECK(generation.tokens == std::vector<std::int32_t>{0, 0});
}

TEST_CASE("generation stops at an end-of-text token unless told not to", "[engine]") {
  CheckpointOptions options;
  const Prompts prompt{some_tokens(9, 67, 1)};
  std::int32_t third = 0;
  {
    const Generated generated(options);
    third = Engine::load(generated.engine()).generate(prompt, 3, false, true)[0].tokens.back();
  }
  options.eos_token_id = third;
  const Generated generated(options);
  Engine engine = Engine::load(generated.engine());
  const auto stopped = engine.generate(prompt, 12, false)[0].tokens;
  CHECK(stopped.size() <= 3);
  CHECK(stopped.back() == third);
  CHECK(engine.generate(prompt, 12, false, true)[0].tokens.size() == 12);
}

TEST_CASE("blocks come back after a call, refused or not, so that the pool never leaks", "[engine]") {
  const Generated generated({});
  EngineOptions options = generated.engine();
  options.pool.num_blocks = 3;  // 12 positions
  bool fail = false;
  options.observers.after_store = [&](std::int32_t, KvLayer&) {
    if (fail) throw Refusal("planted");
  };
  Engine engine = Engine::load(options);
  const Prompts fits{some_tokens(9, 67, 1)};
  for (int call = 0; call < 3; ++call) {
    CHECK(engine.generate(fits, 4, false, true)[0].tokens.size() == 4);
    fail = true;
    CHECK(refusal_of([&] { engine.generate(fits, 4, false, true); }) == "planted");
    fail = false;
  }
  const std::string refusal = refusal_of([&] { engine.generate(fits, 5, false, true); });
  CHECK(refusal.find("4 blocks") != std::string::npos);
  CHECK(refusal.find("--num-blocks") != std::string::npos);
  CHECK(refusal.find("--kv-cache-memory") != std::string::npos);
}

TEST_CASE("prompts that cannot run are refused before anything runs", "[engine]") {
  CheckpointOptions options;
  options.max_positions = 20;
  const Generated generated(options);
  Engine engine = Engine::load(generated.engine());
  const auto refused = [&](const Prompts& prompts, std::int64_t max_tokens) {
    return refusal_of([&] { engine.generate(prompts, max_tokens, false); });
  };
  CHECK(refused({{1}, {}}, 1).find("prompt 1: no tokens") != std::string::npos);
  CHECK(refused({{67}}, 1).find("token 67") != std::string::npos);
  CHECK(refused({{-1}}, 1).find("token -1") != std::string::npos);
  CHECK(refused({{1}}, 0).find("--max-tokens") != std::string::npos);
  CHECK(refused({{1}}, 21).find("max_position_embeddings") != std::string::npos);
  CHECK(refused({{1}}, INT64_MAX).find("max_position_embeddings") != std::string::npos);
  CHECK(refused({some_tokens(21, 67, 1)}, 1).find("max_position_embeddings") != std::string::npos);
  CHECK(refused({{1}}, 20) == nothing);
}

TEST_CASE("logits that are no numbers are refused, with prompt and position", "[engine]") {
  const Generated generated({});
  EngineOptions options = generated.engine();
  options.kv_cache_dtype = "fp8";
  options.observers.after_store = [](std::int32_t, KvLayer& pages) {
    std::fill_n(pages.v.data, pages.v.pages * pages.v.page_stride_bytes, std::byte{0x7F});
  };
  Engine engine = Engine::load(options);
  const std::string refusal = refusal_of([&] { engine.generate({{1, 2, 3}}, 2, false); });
  CHECK(refusal.find("prompt 0: position 2: the logit of token 0 is not a number") == 0);
}

TEST_CASE("a declaration that is taken is announced on one line, and only when no flag was typed", "[engine]") {
  const std::vector<std::string> announced{"kv cache dtype: fp8_e4m3 (declared by the checkpoint)"};
  CHECK(load(declared(), "auto").lines == announced);
  CHECK(load(declared(), "fp8").lines.empty());
  CHECK(load(declared(), "bfloat16").lines.empty());
  CHECK(load({}, "auto").lines.empty());
}

TEST_CASE("a declaration that is not routed is refused and not announced", "[engine]") {
  for (const char* declaration :
       {R"({"quant_method": "compressed-tensors", "kv_cache_scheme": {"num_bits": 8, "type": "float", "strategy": "attn_head"}})",
        R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "NVFP4"})"}) {
    CheckpointOptions options;
    options.quantization_config = declaration;
    const auto loaded = load(options, "auto");
    CHECK(loaded.refusal.find("is not routed") != std::string::npos);
    CHECK(loaded.lines.empty());
  }
}

TEST_CASE("an fp8 cache without declared scales warns once", "[engine]") {
  CheckpointOptions options = declared();
  options.k_scales = options.v_scales = {};
  CHECK(load(options, "fp8").lines.size() == 1);
  CHECK(load(options, "bfloat16").lines.empty());
}

TEST_CASE("a refusal of the KV dtype arrives whatever the weight file says", "[engine]") {
  for (const WeightsFile weights : {WeightsFile::honest, WeightsFile::lying_header, WeightsFile::absent}) {
    CheckpointOptions options;
    options.weights = weights;
    for (const char* flag : {"nvfp4", "fp8_e5m2", "float16"}) {
      const std::string refusal = load(options, flag).refusal;
      CAPTURE(flag, refusal);
      CHECK(refusal.find(flag) != std::string::npos);
      CHECK(refusal.find("LlamaForCausalLM") != std::string::npos);
      CHECK(refusal.find("safetensors") == std::string::npos);
    }
    CHECK((load(options, "fp8").refusal == nothing) == (weights == WeightsFile::honest));
  }
}

TEST_CASE("the plan needs no weight file", "[engine]") {
  CheckpointOptions options = declared();
  options.weights = WeightsFile::absent;
  const Generated generated(options);
  const EnginePlan plan = plan_engine(generated.engine());
  CHECK(plan.kv_dtype.storage == KvStorage::fp8_e4m3);
  CHECK(plan.kv_dtype.origin == KvDtypeOrigin::checkpoint);
  REQUIRE(plan.specs.size() == 3);
  CHECK(plan.pool->num_blocks == 64);
  CHECK(plan.pool->bytes == 64 * 3 * 4 * 2 * 2 * 20);
}

TEST_CASE("a plan of senseless sizes is refused by flag", "[engine]") {
  const Generated generated({});
  const auto refused = [&](auto&& change) {
    EngineOptions options = generated.engine();
    change(options);
    return refusal_of([&] { plan_engine(options); });
  };
  CHECK(refused([](EngineOptions& o) { o.block_tokens = 0; }).find("--block-size") != std::string::npos);
  CHECK(refused([](EngineOptions& o) { o.chunk_tokens = 0; }).find("--chunk-tokens") != std::string::npos);
  CHECK(refused([](EngineOptions& o) { o.cpu.threads = 0; }).find("--threads") != std::string::npos);
}

TEST_CASE("two fresh engines generate the same tokens, and fp8 pages carry bytes", "[engine]") {
  const Generated generated(declared());
  Engine one = Engine::load(generated.engine());
  Engine two = Engine::load(generated.engine());
  const auto a = one.generate(some_prompts(), 10, true, true), b = two.generate(some_prompts(), 10, true, true);
  for (std::size_t i = 0; i < 3; ++i) CHECK(a[i].logits == b[i].logits);
  const KvPages& v = one.cache().layer(2).v;
  CHECK(v.storage == KvStorage::fp8_e4m3);
  CHECK(std::count_if(v.data, v.data + v.page_stride_bytes, [](std::byte x) { return x != std::byte{0}; }) > 0);
}
