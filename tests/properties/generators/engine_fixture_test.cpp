#include "properties/generators/engine_fixture.h"

#include "properties/generators/checkpoint.h"
#include "tests/catch.h"

using namespace redproof::properties;

TEST_CASE("what a refusal says of a directory is the same wherever that is, so that evidence is the same in each run", "[engine_fixture]") {
  CheckpointOptions options;
  options.k_scales = {0.0F};
  std::vector<std::string> messages;
  for (int i = 0; i < 2; ++i) {
    CheckpointDir const dir(options);
    Loaded const loaded = load_directory(dir.path(), "fp8");
    REQUIRE(loaded.refused);
    messages.push_back(loaded.message);
    Planned const planned = plan_directory(dir.path() / "none", "fp8");
    REQUIRE(planned.refused);
    CHECK(planned.message.find(dir.path().string()) == std::string::npos);
  }
  CHECK(messages[0] == messages[1]);
  CHECK(messages[0].starts_with("MODEL/model.safetensors: tensor model.layers.0.self_attn.attn.k_scale: "));
}
