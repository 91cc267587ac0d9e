#include "mutants/driver/plan/environment.h"

#include "gates/runner/json_document.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace test = redproof::mutants::test;

TEST_CASE("the environment names the machine, the parser, and each compiler with the first line of its version", "[plan]") {
  test::TemporaryFolder const folder;
  auto const compiler = folder.path() / "compiler";
  test::write(compiler, "#!/bin/sh\nprintf 'mine 1.2\\nmore\\n'\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  auto const document = redproof::gates::JsonDocument::parse(environment_json({compiler.string(), "/no/such"}, "a parser"), "environment");
  auto const root = document.root();
  CHECK(root.at("parser").text() == "a parser");
  CHECK(root.at("cores").natural() > 0);
  CHECK(root.at("memory_bytes").natural() > 0);
  CHECK(root.at("system").text().starts_with("Linux "));
  auto const compilers = root.at("compilers").items();
  REQUIRE(compilers.size() == 2);
  CHECK(compilers[0].at("program").text() == "/no/such");
  CHECK(compilers[0].at("version").text().empty());
  CHECK(compilers[1].at("version").text() == "mine 1.2");
}
