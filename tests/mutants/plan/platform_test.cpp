#include "mutants/driver/plan/platform.h"

#include <cstdlib>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using redproof::mutants::platform;
namespace test = redproof::mutants::test;

namespace {

// The variable, for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name), before_(std::getenv(name) == nullptr ? "" : std::getenv(name)) {
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

}  // namespace

TEST_CASE("a platform is itself, and another where a variable chooses another device or compiler", "[plan]") {
  std::string const here = platform();
  CHECK(here == platform());
  CHECK(here.find("Linux ") == 0);
  for (const char* name : {"CC", "CXX", "CUDACXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "CUDAFLAGS", "LDFLAGS", "CUDA_VISIBLE_DEVICES"}) {
    Variable const other(name, "something-else");
    INFO(name);
    CHECK(platform() != here);
  }
  CHECK(here == platform());
}

TEST_CASE("a compiler that was replaced is another platform", "[plan]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "c++", "version 1");
  Variable const path("PATH", folder.path().string());
  std::string const before = platform();
  CHECK(before.find("c++ " + (folder.path() / "c++").string() + " 9\n") != std::string::npos);
  test::write(folder.path() / "c++", "version 10");
  CHECK(platform() != before);
}
