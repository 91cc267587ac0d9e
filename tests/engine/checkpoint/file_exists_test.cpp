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

TEST_CASE("a link that leads nowhere is no absent document, and is refused by name", "[file_exists]") {
  for (const char* const name : {"config.json", "hf_quant_config.json", "generation_config.json", "model.safetensors"}) {
    TemporaryFolder const folder;
    folder.write("target", R"({"architectures": ["LlamaForCausalLM"]})");
    std::filesystem::create_symlink("target", folder.path() / "config.json");
    std::filesystem::remove(folder.path() / name);
    std::filesystem::create_symlink("../blobs/gone", folder.path() / name);
    CHECK(engine::file_exists(folder.path() / name));
    CHECK(engine::is_dangling(folder.path() / name));
    CHECK_FALSE(engine::is_dangling(folder.path() / "target"));
    CHECK_FALSE(engine::is_dangling(folder.path() / "absent"));
    std::string const truth = (folder.path() / name).string() + ": a link to a file that is not there";
    CHECK(refusal_of([&] {
            engine::resolve_kv_dtype("auto", folder.path());
            engine::read_config(folder.path());
            engine::Checkpoint::open(folder.path());
          }) == truth);
  }
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
