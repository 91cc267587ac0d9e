#include "engine/model/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/checkpoint/config.h"
#include "tests/catch.h"
#include "tests/engine/model/double_model.h"
#include "tests/engine/model/generated.h"

using namespace redproof::engine;
using namespace redproof::tests;

namespace {

std::vector<std::int32_t> blocks(std::int32_t first, std::int32_t count) {
  std::vector<std::int32_t> table(static_cast<std::size_t>(count));
  std::iota(table.begin(), table.end(), first);
  std::reverse(table.begin(), table.end());
  return table;
}

SequenceChunk chunk_of(const std::vector<std::int32_t>& tokens, std::size_t first, std::size_t count,
                       const std::vector<std::int32_t>& table) {
  return {std::span(tokens).subspan(first, count), static_cast<std::int64_t>(first), table};
}

// Logits of the last token, fed `step` tokens a pass.
std::vector<float> logits_by_steps(Engine& engine, const std::vector<std::int32_t>& tokens, std::size_t step) {
  const auto table = blocks(3, 12);
  std::vector<float> logits;
  for (std::size_t first = 0; first < tokens.size(); first += step) {
    const SequenceChunk chunk = chunk_of(tokens, first, std::min(step, tokens.size() - first), table);
    logits = engine.model().forward(std::span(&chunk, 1), engine.cache(), {});
  }
  return logits;
}

}  // namespace

TEST_CASE("every family computes the logits of its definition, for a norm's epsilon small and large", "[model]") {
  auto families = every_family();
  for (std::size_t i = 0; i < 4; ++i) {
    families.push_back({families[i].name + ", a large epsilon", families[i].options});
    families.back().options.extra_config = R"({"rms_norm_eps": 0.5})";
  }
  for (const auto& [name, options] : families) {
    const Generated generated(options);
    Engine engine = Engine::load(generated.engine());
    const auto tokens = some_tokens(23, options.vocab, 5);
    const auto logits = logits_by_steps(engine, tokens, 23);
    const auto truth = double_logits(engine.plan().config, Checkpoint::open(generated.path()), tokens);
    REQUIRE(logits.size() == truth.size());
    double squares = 0;
    for (const double x : truth) squares += x * x;
    const double deviation = std::sqrt(squares / static_cast<double>(truth.size()));
    CHECK(deviation > 0.5);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      CAPTURE(name, i, logits[i], truth[i], deviation);
      // float32 arithmetic moves K or V across a bfloat16 tie now and then: 2^-9 of one element. A missing part moves logits by all of
      // them.
      CHECK_FALSE(!(std::fabs(logits[i] - truth[i]) <= 0.01 * deviation));
    }
  }
}

TEST_CASE("the size of the steps in which a prompt is fed changes no bit of its logits", "[model]") {
  for (const auto& [name, options] : every_family()) {
    for (const char* dtype : {"bfloat16", "fp8"}) {
      const Generated generated(options);
      EngineOptions engine_options = generated.engine();
      engine_options.kv_cache_dtype = dtype;
      Engine engine = Engine::load(engine_options);
      const auto tokens = some_tokens(37, options.vocab, 6);
      const auto whole = logits_by_steps(engine, tokens, 37);
      for (const std::size_t step : {1U, 3U, 4U, 16U}) {
        CAPTURE(name, dtype, step);
        CHECK(logits_by_steps(engine, tokens, step) == whole);
      }
    }
  }
}

TEST_CASE("a sequence's logits do not depend on the others of its batch, on threads or on the instruction set", "[model]") {
  for (const auto& [name, options] : every_family()) {
    const Generated generated(options);
    Engine engine = Engine::load(generated.engine());
    const auto one = some_tokens(17, options.vocab, 7), two = some_tokens(4, options.vocab, 8);
    const auto alone = logits_by_steps(engine, one, 17);
    EngineOptions other = generated.engine();
    other.cpu = {CpuIsa::scalar, 3};
    Engine scalar = Engine::load(other);
    const auto table_one = blocks(20, 5), table_two = blocks(40, 1);
    const std::vector<SequenceChunk> batch{chunk_of(two, 0, 4, table_two), chunk_of(one, 0, 17, table_one)};
    const auto both = scalar.model().forward(batch, scalar.cache(), {});
    CAPTURE(name);
    REQUIRE(both.size() == 2 * alone.size());
    CHECK(std::vector<float>(both.begin() + options.vocab, both.end()) == alone);
  }
}

TEST_CASE("observers see every layer once a pass: its pages before attention, then its queries and output", "[model]") {
  const Generated generated(every_family()[1].options);
  Engine engine = Engine::load(generated.engine());
  const auto tokens = some_tokens(6, 67, 9);
  const auto table = blocks(0, 2);
  const SequenceChunk chunk = chunk_of(tokens, 0, 6, table);
  std::vector<std::string> seen;
  Observers observers;
  observers.after_store = [&](std::int32_t layer, KvLayer& pages) {
    CHECK(&pages == &engine.cache().layer(static_cast<std::size_t>(layer)));
    seen.push_back("store " + std::to_string(layer));
  };
  observers.after_attention = [&](std::int32_t layer, std::span<const float> q, std::span<const float> output) {
    CHECK(q.size() == 6 * 6 * 20);
    CHECK(output.size() == 6 * 6 * 20);
    seen.push_back("attention " + std::to_string(layer));
  };
  engine.model().forward(std::span(&chunk, 1), engine.cache(), observers);
  CHECK(seen == std::vector<std::string>{"store 0", "attention 0", "store 1", "attention 1", "store 2", "attention 2"});
}

TEST_CASE("attention reads what an observer leaves in the pages", "[model]") {
  const Generated generated(every_family()[0].options);
  Engine engine = Engine::load(generated.engine());
  const auto tokens = some_tokens(6, 67, 9);
  const auto table = blocks(0, 2);
  const SequenceChunk chunk = chunk_of(tokens, 0, 6, table);
  Observers zero_v;
  zero_v.after_store = [](std::int32_t, KvLayer& pages) {
    std::fill_n(pages.v.data, pages.v.pages * pages.v.page_stride_bytes, std::byte{0});
  };
  zero_v.after_attention = [](std::int32_t, std::span<const float>, std::span<const float> output) {
    CHECK(std::all_of(output.begin(), output.end(), [](float x) { return x == 0; }));
  };
  engine.model().forward(std::span(&chunk, 1), engine.cache(), zero_v);
}

TEST_CASE("bytes of weights a token are those of every matrix that a decode step reads", "[model]") {
  redproof::properties::CheckpointOptions options;
  const Generated generated(options);
  Engine engine = Engine::load(generated.engine());
  const std::int64_t attention = 48 * (120 + 40 + 40) + 120 * 48;
  const std::int64_t mlp = 3 * 48 * 56;
  CHECK(engine.model().weight_bytes_per_token() == 2 * (3 * (attention + mlp) + 67 * 48));
}

TEST_CASE("a batch that names a wrong token, position or block table is refused", "[model]") {
  const Generated generated({});
  Engine engine = Engine::load(generated.engine());
  const auto refused = [&](std::vector<std::int32_t> tokens, std::int64_t first, std::vector<std::int32_t> table) {
    const SequenceChunk chunk{tokens, first, table};
    return refusal_of([&] { engine.model().forward(std::span(&chunk, 1), engine.cache(), {}); });
  };
  CHECK(refused({1, 67}, 0, {0}).find("token 67") != std::string::npos);
  CHECK(refused({-1}, 0, {0}).find("token -1") != std::string::npos);
  CHECK(refused({}, 0, {0}).find("without tokens") != std::string::npos);
  CHECK(refused({1}, -1, {0}).find("position -1") != std::string::npos);
  CHECK(refused({1, 2}, 3, {0}).find("block table") != std::string::npos);
  CHECK(refused({1}, 0, {64}).find("nothing") == std::string::npos);
}
