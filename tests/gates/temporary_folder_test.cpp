#include "gates/runner/temporary_folder.h"

#include <cstdlib>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using redproof::gates::temporary_folder;
using namespace redproof::tests;

namespace {

// TMPDIR as given while it lives.
class Variable {
 public:
  explicit Variable(const std::string& value) : before_(std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR")) {
    setenv("TMPDIR", value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1); }

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("the temporary folder is TMPDIR, or /tmp where that is empty", "[temporary_folder]") {
  Folder const folder;
  {
    Variable const variable(folder.path().string());
    CHECK(temporary_folder() == folder.path());
  }
  Variable const variable("");
  CHECK(temporary_folder() == "/tmp");
}

TEST_CASE("a TMPDIR that is no folder is refused by name and never made", "[temporary_folder]") {
  Folder const folder;
  auto const absent = (folder / "absent").string();
  Variable const variable(absent);
  CHECK(message_of([] { temporary_folder(); }) ==
        "TMPDIR: " + absent + ": No such file or directory; set it to a folder that can be written");
  CHECK_FALSE(std::filesystem::exists(absent));
  Variable const device("/dev/null");
  CHECK(message_of([] { temporary_folder(); }) == "TMPDIR: /dev/null: Not a directory; set it to a folder that can be written");
}
