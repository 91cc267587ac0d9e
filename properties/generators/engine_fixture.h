#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "engine/serve/engine.h"
#include "properties/generators/checkpoint.h"
#include "properties/generators/temp_dir.h"

namespace redproof::properties {

// What loading a directory came to: the announcements, and the plan or the refusal.
struct Planned {
  bool refused = false;
  std::string message;                     // of the refusal; MODEL stands for the directory
  std::vector<std::string> announcements;  // one line each
  engine::EnginePlan plan;
};

engine::CpuOptions default_cpu();  // the fastest instruction set of this machine, one thread

Planned plan_directory(const std::filesystem::path& dir, const std::string& flag, const engine::KvPoolRequest& pool = {});

// Loads the whole engine, weights too; `message` and `announcements` as above.
struct Loaded {
  bool refused = false;
  std::string message;
  std::vector<std::string> announcements;
  std::vector<engine::Engine> engine;  // one, or none where refused
};

Loaded load_directory(const std::filesystem::path& dir, const std::string& flag, const engine::Observers& observers = {});
Loaded load_engine(engine::EngineOptions options);  // `announce` is set here

// A directory's options with the default CPU; everything else is the engine's own default.
engine::EngineOptions engine_options(const std::filesystem::path& dir, const std::string& flag);

// The refusal's message, or empty where the prompts were generated.
std::string refusal_of(engine::Engine& engine, const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t max_tokens);

// A checkpoint in a folder of its own.
class CheckpointDir {
 public:
  explicit CheckpointDir(const CheckpointOptions& options);
  const std::filesystem::path& path() const { return dir_.path(); }

 private:
  TempDir dir_;
};

// Prompts of different lengths: one token, around a block of 16 tokens (b-1, b, b+1, 2b), and past one attention tile.
std::vector<std::vector<std::int32_t>> test_prompts(std::int64_t vocab, std::uint64_t seed);

const char* family_name(Family family);

}  // namespace redproof::properties
