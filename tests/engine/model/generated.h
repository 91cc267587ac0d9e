// Generated checkpoints for the engine's own tests.
#pragma once
#include <string>
#include <vector>

#include "engine/serve/engine.h"
#include "properties/generators/checkpoint.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {

// One of each architecture, with the parts that the others lack.
struct NamedOptions {
  std::string name;
  properties::CheckpointOptions options;
};
std::vector<NamedOptions> every_family();

// A checkpoint in a folder of its own, for as long as it lives.
class Generated {
 public:
  explicit Generated(const properties::CheckpointOptions& options);
  engine::EngineOptions engine() const;  // of this folder: AVX2 where there is, 1 thread, 64 blocks of 4 tokens
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

engine::CpuIsa best_isa();
std::vector<std::int32_t> some_tokens(std::int64_t count, std::int64_t vocab, std::uint32_t seed);

}  // namespace redproof::tests
