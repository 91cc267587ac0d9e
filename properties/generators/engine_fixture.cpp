#include "properties/generators/engine_fixture.h"

#include "engine/bits/fp8.h"
#include "engine/types/error.h"
#include "properties/generators/kv_fixture.h"

namespace redproof::properties {
namespace {

engine::EngineOptions options_of(const std::filesystem::path& dir, const std::string& flag, std::vector<std::string>& announcements) {
  auto options = engine_options(dir, flag);
  options.chunk_tokens = 24;  // prompts are split, and chunks of several prompts share a pass
  options.announce = [&announcements](const std::string& line) { announcements.push_back(line); };
  return options;
}

// A folder's name is another in each run, and evidence is to be the same.
std::string without_folder(std::string message, const std::filesystem::path& dir) {
  std::string const name = dir.string();
  for (auto at = message.find(name); at != std::string::npos; at = message.find(name, at)) message.replace(at, name.size(), "MODEL");
  return message;
}

}  // namespace

engine::CpuOptions default_cpu() { return {engine::cpu_has_avx2() ? engine::CpuIsa::avx2 : engine::CpuIsa::scalar, 1}; }

Planned plan_directory(const std::filesystem::path& dir, const std::string& flag, const engine::KvPoolRequest& pool) {
  Planned planned;
  auto options = options_of(dir, flag, planned.announcements);
  options.pool = pool;
  try {
    planned.plan = engine::plan_engine(options);
  } catch (const engine::Refusal& refusal) {
    planned.refused = true;
    planned.message = without_folder(refusal.what(), dir);
  }
  return planned;
}

Loaded load_directory(const std::filesystem::path& dir, const std::string& flag, const engine::Observers& observers) {
  std::vector<std::string> ignored;
  auto options = options_of(dir, flag, ignored);
  options.observers = observers;
  return load_engine(std::move(options));
}

Loaded load_engine(engine::EngineOptions options) {
  Loaded loaded;
  options.announce = [&loaded](const std::string& line) { loaded.announcements.push_back(line); };
  try {
    loaded.engine.push_back(engine::Engine::load(options));
  } catch (const engine::Refusal& refusal) {
    loaded.refused = true;
    loaded.message = without_folder(refusal.what(), options.model);
  }
  return loaded;
}

engine::EngineOptions engine_options(const std::filesystem::path& dir, const std::string& flag) {
  engine::EngineOptions options;
  options.model = dir;
  options.kv_cache_dtype = flag;
  options.cpu = default_cpu();
  return options;
}

std::string refusal_of(engine::Engine& engine, const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t max_tokens) {
  try {
    engine.generate(prompts, max_tokens, false, true);
  } catch (const engine::Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

CheckpointDir::CheckpointDir(const CheckpointOptions& options) { write_checkpoint(dir_.path(), options); }

std::vector<std::vector<std::int32_t>> test_prompts(std::int64_t vocab, std::uint64_t seed) {
  std::vector<std::vector<std::int32_t>> prompts;
  for (std::size_t const length : {1, 15, 16, 17, 32, 70}) {
    auto& prompt = prompts.emplace_back();
    for (std::size_t i = 0; i < length; ++i)
      prompt.push_back(static_cast<std::int32_t>(next_bits(seed) % static_cast<std::uint64_t>(vocab)));
  }
  return prompts;
}

const char* family_name(Family family) {
  switch (family) {
    case Family::llama:
      return "LlamaForCausalLM";
    case Family::qwen2:
      return "Qwen2ForCausalLM";
    case Family::qwen3:
      return "Qwen3ForCausalLM";
    case Family::mistral:
      break;
  }
  return "MistralForCausalLM";
}

}  // namespace redproof::properties
