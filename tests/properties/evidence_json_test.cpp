// The evidence of a gate program, through a program that leaves it.
#include <cstdio>
#include <filesystem>
#include <string>

#include "properties/generators/temp_dir.h"
#include "tests/catch.h"
#include "tests/skip.h"

using redproof::properties::TempDir;

namespace {

struct Ended {
  std::string output;  // stdout and stderr as they came
  int status;          // as of a shell
};

// SCRIPT by a shell, where $GATES_CPU is the program.
Ended by_shell(const std::string& script) {
  auto const program = std::filesystem::canonical("/proc/self/exe").parent_path() / "gates_cpu";
  REQUIRE(std::filesystem::exists(program));
  FILE* const pipe = popen(("exec 2>&1; GATES_CPU='" + program.string() + "'; export GATES_CPU; " + script).c_str(), "r");
  REQUIRE(pipe != nullptr);
  Ended ended;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) ended.output += static_cast<char>(c);
  ended.status = pclose(pipe);
  return ended;
}

}  // namespace

TEST_CASE("a program whose evidence cannot be written says why at its end, and tells no law as green") {
  auto const ended = by_shell("REDPROOF_EVIDENCE=/no/such/folder/e.json \"$GATES_CPU\" '[kv_page_size]'; echo code $?");
  INFO(ended.output);
  CHECK(ended.output.ends_with(
      "gates_cpu: /no/such/folder/e.json: cannot be written: No such file or directory; without evidence no law counts\ncode 70\n"));
  CHECK(ended.output.find("green ") == std::string::npos);
}

TEST_CASE("a program whose checkpoints or evidence find no room says that the disk is full") {
  TempDir const folder;
  std::string const mounted = "exec unshare -m sh -c 'mount -t tmpfs -o size=8k none " + folder.path().string() +
                              " || exit 9; export TMPDIR=" + folder.path().string() + " REDPROOF_EVIDENCE=" + folder.path().string() +
                              "/e.json; \"$GATES_CPU\" ";
  auto const evidence = by_shell(mounted + "[kv_address]; cat /dev/zero >$TMPDIR/much; \"$GATES_CPU\" [kv_address]; echo code $?' 2>&1");
  if (evidence.status != 0) return skip_case("no file system can be mounted here");
  INFO(evidence.output);
  CHECK(evidence.output.ends_with("/e.json: cannot be written: No space left on device; without evidence no law counts\ncode 70\n"));
  auto const checkpoint = by_shell(mounted + "[kv_page_size]'; true");
  INFO(checkpoint.output);
  CHECK(checkpoint.output.find("/model.safetensors: cannot be written: No space left on device") != std::string::npos);
}

TEST_CASE("a program whose evidence is written tells each law") {
  TempDir const folder;
  std::string const file = (folder.path() / "e.json").string();
  auto const ended = by_shell("REDPROOF_EVIDENCE=" + file + " \"$GATES_CPU\" '[kv_page_size]'");
  INFO(ended.output);
  CHECK(ended.status == 0);
  CHECK(ended.output.find("\ngreen page_size_is_closed_form [") != std::string::npos);
  CHECK(std::filesystem::exists(file));
  CHECK_FALSE(std::filesystem::exists(file + ".tmp"));
}
