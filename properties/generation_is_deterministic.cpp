// Two fresh engines give equal bits: logits, tokens and pages; so do one thread and several, which share rows, heads and elements unevenly,
// and scalar and AVX2 kernels.
#include "engine/bits/fp8.h"
#include "properties/generators/engine_fixture.h"
#include "properties/generators/page_image.h"
#include "properties/laws.h"
#include "properties/same_logits.h"

namespace redproof::properties {
namespace {

struct Outcome {
  std::vector<engine::Generation> generations;
  std::vector<std::vector<std::byte>> pages;
  engine::CpuOptions cpu;  // what its kernels ran with
};

Outcome outcome_of(const CheckpointDir& dir, const CheckpointOptions& options, const engine::CpuOptions& cpu) {
  engine::EngineOptions load;
  load.model = dir.path();
  load.kv_cache_dtype = "fp8";
  load.cpu = cpu;
  load.chunk_tokens = 24;
  auto engine = engine::Engine::load(load);
  auto generations = engine.generate(test_prompts(options.vocab, 21), 6, true, true);
  return {std::move(generations), cache_image(engine.cache()), engine.model().cpu()};
}

std::string cpu_text(const engine::CpuOptions& cpu) {
  return std::string(cpu.isa == engine::CpuIsa::avx2 ? "avx2" : "scalar") + ", threads " + std::to_string(cpu.threads);
}

// Counts what was compared by how the kernels did run, so that nothing is compared with itself under another name.
void check_cpu(const Outcome& first, const Outcome& second, const engine::CpuOptions& asked, Tally& tally) {
  if (tally.equal(cpu_text(second.cpu) == cpu_text(asked))) {
    tally.witness({"how the kernels run", cpu_text(asked), cpu_text(second.cpu), cpu_text(asked)});
  }
  if (second.cpu.threads != first.cpu.threads) tally.count("other numbers of threads");
  if (second.cpu.threads > 3) tally.count("more than 3 threads");
  if (second.cpu.isa != first.cpu.isa) tally.count("other instruction sets");
}

void check(const Outcome& first, const Outcome& second, const std::string& inputs, Tally& tally) {
  check_same_logits(second.generations, first.generations, inputs, tally);
  for (std::size_t side = 0; side < first.pages.size(); ++side) {
    tally.count("sides");
    if (tally.equal(first.pages[side] == second.pages.at(side))) {
      tally.witness({std::string(side % 2 == 0 ? "K" : "V") + " of layer " + std::to_string(side / 2), inputs, "bytes differ", "equal"});
    }
  }
}

}  // namespace

LawVerdict generation_is_deterministic() {
  Law law{"generation_is_deterministic", "cpu", "exact: every sum has a fixed order"};
  law.floors = {{"logits", 4000}, {"tokens", 60}, {"sides", 12}, {"other numbers of threads", 4}, {"more than 3 threads", 2}};
  law.floors[engine::cpu_has_avx2() ? "other instruction sets" : "machines without AVX2"] = 1;
  law.separates = {"model/one_thread", "model/default_cpu", "model/swiglu_seam", "model/thread_remainder_lost"};
  return run_law(law, [](Draw&, Tally& tally) {
    CheckpointOptions options;
    options.k_scales = {0.0625F, 0.125F, 0.5F};
    options.v_scales = {0.25F, 0.03125F, 2.0F};
    options.intermediate = 1032;  // 24 rows of it are enough for the threads of an element-wise pass; 129 groups of 8
    CheckpointDir const dir(options);
    auto const first = outcome_of(dir, options, default_cpu());
    if (!engine::cpu_has_avx2()) tally.count("machines without AVX2");
    auto const isa = default_cpu().isa;
    for (engine::CpuOptions const cpu : {default_cpu(), {isa, 2}, {isa, 3}, {isa, 5}, {isa, 8}, {engine::CpuIsa::scalar, 1}}) {
      auto const second = outcome_of(dir, options, cpu);
      check_cpu(first, second, cpu, tally);
      check(first, second, "a second engine, " + cpu_text(cpu), tally);
    }
  });
}

}  // namespace redproof::properties
