#include "engine/checkpoint/file_exists.h"

#include <string>

#include "engine/checkpoint/config.h"
#include "engine/checkpoint/kv_dtype.h"
#include "engine/checkpoint/safetensors.h"
#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {

TEST_CASE("a file is there, absent, or refused where the system cannot say", "[file_exists]") {
  TemporaryFolder const folder;
  folder.write("there", "");
  CHECK(engine::file_exists(folder.path() / "there"));
  CHECK(engine::file_exists(folder.path()));
  CHECK_FALSE(engine::file_exists(folder.path() / "absent"));
  CHECK_FALSE(engine::file_exists(folder.path() / "there" / "below a file"));
  std::string const loop = (folder.path() / "loop").string();
  std::filesystem::create_symlink("loop", loop);
  CHECK(refusal_of([&] { engine::file_exists(loop); }).find(loop + ": ") == 0);
}

TEST_CASE("a document that cannot be looked at is refused, not taken as absent", "[file_exists]") {
  TemporaryFolder const folder;
  folder.write("config.json", R"({"architectures": ["LlamaForCausalLM"]})");
  for (const char* const name : {"hf_quant_config.json", "generation_config.json", "model.safetensors"}) {
    std::filesystem::create_symlink(name, folder.path() / name);
  }
  CHECK(refusal_of([&] { engine::resolve_kv_dtype("auto", folder.path()); }).find("hf_quant_config.json: ") != std::string::npos);
  CHECK(refusal_of([&] { engine::read_config(folder.path()); }).find("generation_config.json: ") != std::string::npos);
  CHECK(refusal_of([&] { engine::Checkpoint::open(folder.path()); }).find("model.safetensors: ") != std::string::npos);
}

}  // namespace redproof::tests
