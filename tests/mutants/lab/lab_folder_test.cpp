#include "mutants/driver/lab/lab_folder.h"

#include <unistd.h>

#include <cstdlib>

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace fs = std::filesystem;

namespace {

struct Home {
  test::TemporaryFolder folder;
  Home() { setenv("REDPROOF_LAB", folder.path().c_str(), 1); }
};

}  // namespace

TEST_CASE("a lab is a folder of its own that is gone afterwards", "[lab]") {
  Home const home;
  fs::path path;
  {
    LabFolder const lab("/some/root");
    path = lab.path();
    CHECK(path.parent_path() == home.folder.path());
    CHECK((fs::status(path).permissions() & fs::perms::others_all) == fs::perms::none);
    test::write(path / "worker-0/file", "x");
    fs::permissions(path / "worker-0", fs::perms::none);
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("two runs on one tree do not share a lab", "[lab]") {
  Home const home;
  LabFolder const lab("/some/root");
  CHECK_THROWS_AS(LabFolder("/some/root"), redproof::gates::Refusal);
  CHECK_NOTHROW(LabFolder("/other/root"));
}

TEST_CASE("labs of dead runs are removed, kept ones and living ones are not", "[lab]") {
  Home const home;
  LabFolder const living("/living");
  fs::path const prefix = home.folder.path() / ("redproof-lab-" + std::to_string(geteuid()) + "-");
  fs::path const dead = prefix.string() + "dead", kept = prefix.string() + "kept", foreign = home.folder.path() / "something-else";
  test::write(dead / "lock", "");
  test::write(dead / "worker-0/file", "x");
  test::write(kept / "kept", "");
  test::write(foreign / "file", "x");
  LabFolder const lab("/some/root");
  CHECK_FALSE(fs::exists(dead));
  CHECK(fs::exists(kept));
  CHECK(fs::exists(foreign / "file"));
  CHECK(fs::exists(living.path()));
}

TEST_CASE("a kept lab stays until the next run on its tree", "[lab]") {
  Home const home;
  fs::path path;
  {
    LabFolder lab("/some/root");
    lab.keep();
    path = lab.path();
    test::write(path / "worker-0/file", "x");
  }
  CHECK(fs::exists(path / "worker-0/file"));
  LabFolder const again("/some/root");
  CHECK_FALSE(fs::exists(path / "worker-0"));
}

TEST_CASE("a link in the lab's place is refused", "[lab]") {
  Home const home;
  fs::create_directories(home.folder.path() / "victim");
  fs::create_symlink(home.folder.path() / "victim", lab_path("/some/root"));
  CHECK_THROWS_AS(LabFolder("/some/root"), redproof::gates::Refusal);
}
