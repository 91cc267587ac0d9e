#include "mutants/driver/cache/command_text.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("every word of a command that names a program or a file counts, and its libraries do", "[cache]") {
  test::TemporaryFolder const folder;
  LabConfig const lab;
  Worker worker(lab, folder.path() / "w", {});
  std::filesystem::create_directories(worker.home() / "tmp");
  test::write(worker.tree() / "check.sh", "one");
  auto const text = [&](const std::vector<std::string>& argv) { return CommandTexts(worker).of(argv); };
  std::vector<std::string> const command{"env", "A=1", "sh", "-c", "no file / at all", "", "check.sh"};
  std::string const before = text(command);
  for (const char* const name : {"env ", "check.sh ", "libc.so.6 "}) CHECK(before.find(name) != std::string::npos);
  CHECK(before.find("no file") == std::string::npos);
  test::write(worker.tree() / "check.sh", "other");
  CHECK(text(command) != before);
  CHECK(text({"none"}) == "none\n");
}
