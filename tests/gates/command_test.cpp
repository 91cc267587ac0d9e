#include "gates/runner/command.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

bool holds(const std::vector<std::string>& list, const std::string& entry) {
  return std::find(list.begin(), list.end(), entry) != list.end();
}

}  // namespace

TEST_CASE("a name without a slash is looked up in the PATH that the process gets", "[command]") {
  Folder const folder;
  write_script(folder / "bin/tool", "exit 0\n");
  write(folder / "text/tool", "no program\n");
  std::filesystem::create_directories(folder / "folders/tool");
  ProcessSpec spec;
  spec.argv = {"tool"};
  spec.set_env = {{"PATH", (folder / "text").string() + ":" + (folder / "bin").string()}};
  CHECK(resolve_command(spec).program == (folder / "bin/tool").string());
  spec.set_env = {{"PATH", (folder / "text").string()}};
  CHECK(resolve_command(spec).program.empty());
  CHECK(resolve_command(spec).missing_code == 126);
  spec.set_env = {{"PATH", (folder / "none").string()}};
  CHECK(resolve_command(spec).missing_code == 127);
  spec.set_env = {{"PATH", (folder / "folders").string()}};
  CHECK(resolve_command(spec).program.empty());
  CHECK(resolve_command(spec).missing_code == 127);
  spec.set_env = {{"PATH", (folder / "folders").string() + ":" + (folder / "bin").string()}};
  CHECK(resolve_command(spec).program == (folder / "bin/tool").string());
  spec.cwd = folder.path();
  spec.set_env = {{"PATH", "bin"}};
  CHECK(resolve_command(spec).program == (folder / "bin/tool").string());
}

TEST_CASE("a name with a slash is taken as it is", "[command]") {
  ProcessSpec spec;
  spec.argv = {"./tool", "x"};
  CHECK(resolve_command(spec).program == "./tool");
  spec.argv = {};
  CHECK(resolve_command(spec).program.empty());
  spec.argv = {""};
  CHECK(resolve_command(spec).program.empty());
}

TEST_CASE("variables are taken over, removed and set, in this order", "[command]") {
  setenv("REDPROOF_TEST_KEPT", "kept", 1);
  setenv("REDPROOF_TEST_GONE", "gone", 1);
  ProcessSpec spec;
  spec.argv = {"/bin/true"};
  spec.unset_env = {"REDPROOF_TEST_GONE", "REDPROOF_TEST_SET"};
  spec.set_env = {{"REDPROOF_TEST_SET", "a=b"}};
  auto const environment = resolve_command(spec).environment;
  CHECK(holds(environment, "REDPROOF_TEST_KEPT=kept"));
  CHECK(holds(environment, "REDPROOF_TEST_SET=a=b"));
  CHECK_FALSE(holds(environment, "REDPROOF_TEST_GONE=gone"));
  unsetenv("REDPROOF_TEST_KEPT");
  unsetenv("REDPROOF_TEST_GONE");
}

TEST_CASE("pointers end with a null", "[command]") {
  std::vector<std::string> const words = {"a", "bc"};
  auto const list = pointers(words);
  REQUIRE(list.size() == 3);
  CHECK(std::string(list[1]) == "bc");
  CHECK(list[2] == nullptr);
}
