// The program that writes checkpoints, run as a process.
#include <filesystem>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"
#include "tests/engine/cli/program.h"

using namespace redproof::tests;

TEST_CASE("a disk that is full leaves no half-written checkpoint", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "checkpoint";
  const auto refused = run_program("make_checkpoint", {dir.string() + "/"}, {}, 20000);  // room for the documents, not for the weights
  CHECK(refused.exit_code == 1);
  CHECK(refused.out.empty());
  CHECK(refused.err == "make_checkpoint: " + dir.string() + ".tmp/model.safetensors: cannot be written\n");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a checkpoint stands under its name when it is whole, in a folder that is there too", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "deep" / "checkpoint";
  for (int time = 0; time < 2; ++time) {
    const auto written = run_program("make_checkpoint", {dir.string()});
    CHECK(written.exit_code == 0);
    CHECK(written.out == dir.string() + "\n");
    CHECK(std::filesystem::exists(dir / "model.safetensors"));
    CHECK_FALSE(std::filesystem::exists(dir.string() + ".tmp"));
  }
  CHECK(run_engine({"inspect", "--model", dir.string()}).exit_code == 0);
}
