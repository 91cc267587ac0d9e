// The program that writes checkpoints, run as a process: what becomes of its folder.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"
#include "tests/engine/cli/program.h"

using namespace redproof::tests;
namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

Names names_in(const fs::path& folder) {
  Names names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

Finished make(const fs::path& dir, std::vector<std::string> rest = {}) {
  rest.insert(rest.begin(), dir.string());
  return run_program("make_checkpoint", rest);
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void check_not_made(const Finished& finished, const std::string& what) {
  CAPTURE(finished.err, what);
  CHECK(finished.exit_code == 1);
  CHECK(finished.out.empty());
  CHECK(std::count(finished.err.begin(), finished.err.end(), '\n') == 1);
  CHECK(finished.err.find("make_checkpoint: " + what) == 0);
}

// Large enough to be met while it is written, at the latest on one of many tries.
std::optional<Finished> interrupted(const fs::path& dir, int signal) {
  for (int tries = 0; tries < 100; ++tries) {
    const auto finished = interrupt_while(dir.string() + ".tmp/config.json", "make_checkpoint",
                                          {dir.string(), "--vocab", "20000", "--hidden", "200", "--layers", "1"}, signal);
    if (finished) return finished;
    fs::remove_all(dir);
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a disk that is full, or a limit on files, leaves no half-written checkpoint and no folder made for it",
          "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  for (const fs::path below : {"checkpoint", "deep/er/checkpoint"}) {
    const auto dir = folder.path() / below;
    // Room for the documents, not for the weights.
    check_not_made(run_program("make_checkpoint", {dir.string() + "/"}, {}, {.file_bytes = 20000}),
                   dir.string() + ".tmp/model.safetensors: cannot be written: File too large\n");
    CHECK(fs::is_empty(folder.path()));
  }
}

TEST_CASE("a checkpoint stands under its name when it is whole, in a folder that is there too", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "deep" / "checkpoint";
  for (int time = 0; time < 2; ++time) {
    const auto written = make(dir);
    CHECK(written.exit_code == 0);
    CHECK(written.out == dir.string() + "\n");
    CHECK(names_in(dir) == Names{"config.json", "model.safetensors"});
    CHECK(names_in(dir.parent_path()) == Names{"checkpoint"});
  }
  CHECK(run_engine({"inspect", "--model", dir.string()}).exit_code == 0);
}

TEST_CASE("the folder holds what the last run wrote, and nothing of an earlier one", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "checkpoint";
  CHECK(make(dir, {"--tokenizer", "--vocab", "300", "--shards", "2", "--hf-quant-config", "{}"}).exit_code == 0);
  CHECK(names_in(dir) == Names{"config.json", "hf_quant_config.json", "model-00001-of-00002.safetensors",
                               "model-00002-of-00002.safetensors", "model.safetensors.index.json", "tokenizer.json"});
  CHECK(make(dir).exit_code == 0);
  CHECK(names_in(dir) == Names{"config.json", "model.safetensors"});
  CHECK(make(dir, {"--weights", "absent"}).exit_code == 0);
  CHECK(names_in(dir) == Names{"config.json"});
  CHECK(names_in(folder.path()) == Names{"checkpoint"});
}

TEST_CASE("an empty folder is taken and keeps its permissions, through a link too", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "empty", link = folder.path() / "link";
  fs::create_directory(dir);
  fs::permissions(dir, fs::perms::owner_all);
  fs::create_directory_symlink(dir, link);
  CHECK(make(link).out == link.string() + "\n");
  CHECK(fs::is_symlink(link));
  CHECK(names_in(dir) == Names{"config.json", "model.safetensors"});
  CHECK(fs::status(dir).permissions() == fs::perms::owner_all);
}

TEST_CASE("a folder that holds anything else is refused and left as it is", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "mine";
  const auto refused = [&](const std::string& why) {
    const Names before = names_in(dir);
    check_not_made(make(dir), dir.string() + ": " + why);
    CHECK(names_in(dir) == before);
    CHECK(names_in(folder.path()) == Names{"mine"});
  };
  REQUIRE(make(dir).exit_code == 0);
  write(dir / "notes.txt", "mine");
  refused("holds notes.txt, which make_checkpoint did not write");
  fs::remove(dir / "notes.txt");
  fs::create_directory(dir / "tokenizer.json");
  refused("holds tokenizer.json, which make_checkpoint did not write");
  fs::remove(dir / "tokenizer.json");
  write(dir / "model-1-of-2.safetensors", "");
  refused("holds model-1-of-2.safetensors, which make_checkpoint did not write");
  fs::remove(dir / "model-1-of-2.safetensors");
  for (const char* config : {R"({"model_type": "llama"})", "{", "[]"}) {  // a model of the same file names
    write(dir / "config.json", config);
    refused("holds config.json, which make_checkpoint did not write");
    CHECK(read(dir / "config.json") == config);
  }
  fs::remove(dir / "config.json");
  refused("holds model.safetensors, but no config.json that make_checkpoint wrote");
}

TEST_CASE("what can be no folder is refused by its name", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "fi\nle", link = folder.path() / "link";
  write(file, "mine");
  fs::create_symlink(folder.path() / "nowhere", link);
  check_not_made(make(""), "dir: '' names no folder");
  const std::string shown = (folder.path() / "fi\\x0ale").string();
  check_not_made(make(file), shown + ": is no folder");
  check_not_made(make(file / "below"), shown + ": is no folder");
  check_not_made(make(link), link.string() + ": is a link that leads nowhere");
  check_not_made(make("/dev/full"), "/dev/full: is no folder");
  check_not_made(make("/"), "/: holds ");
  check_not_made(make("/proc/nowhere/at all"), "/proc/nowhere");
  CHECK(read(file) == "mine");
  CHECK(names_in(folder.path()) == Names{"fi\nle", "link"});
}

TEST_CASE("the current folder is refused: whoever stands in it would stand nowhere", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  const auto finished = make("."), by_name = make(folder.path()), around = make("x/..");
  fs::current_path(before);
  check_not_made(finished, ".: is the current folder");
  check_not_made(by_name, folder.path().string() + ": is the current folder");
  check_not_made(around, ".: is the current folder");
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a run that is interrupted leaves nothing and ends with 130", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto finished = interrupted(folder.path() / "deep" / "checkpoint", signal);
    CAPTURE(signal);
    REQUIRE(finished);
    CHECK(finished->exit_code == 130);
    CHECK(finished->out.empty());
    CHECK(finished->err == "make_checkpoint: interrupted\n");
    CHECK(fs::is_empty(folder.path()));
  }
}

TEST_CASE("what a killed run left does not stand in the way of the next one", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "checkpoint";
  REQUIRE(interrupted(dir, SIGKILL));
  REQUIRE(names_in(folder.path()) == Names{"checkpoint.tmp"});
  CHECK(make(dir).exit_code == 0);
  CHECK(names_in(folder.path()) == Names{"checkpoint"});
  CHECK(names_in(dir) == Names{"config.json", "model.safetensors"});
}

TEST_CASE("a folder that another run is writing is refused and left to it", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "checkpoint", growing = folder.path() / "checkpoint.tmp";
  fs::create_directory(growing);
  write(growing / "config.json", "of the other");
  const int other = ::open(growing.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(::flock(other, LOCK_EX) == 0);
  check_not_made(make(dir), growing.string() + ": another make_checkpoint is at work on it");
  CHECK(read(growing / "config.json") == "of the other");
  ::close(other);
  CHECK(make(dir).exit_code == 0);
}

TEST_CASE("a folder of the growing one's name that is somebody's own is refused and left as it is", "[cli][make_checkpoint]") {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "checkpoint", other = folder.path() / "checkpoint.tmp";
  fs::create_directory(other);
  write(other / "notes.txt", "mine");
  check_not_made(make(dir), other.string() + ": holds notes.txt, which make_checkpoint did not write");
  CHECK(names_in(other) == Names{"notes.txt"});
  fs::remove_all(other);
  write(other, "mine");
  check_not_made(make(dir), other.string() + ": is no folder");
  CHECK(names_in(folder.path()) == Names{"checkpoint.tmp"});
}
