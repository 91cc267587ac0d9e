#include "mutants/driver/run/probe.h"

#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

std::string probe(const std::string& before, const std::string& after) {
  return probe_files({{"a.cpp", before, after, "", ""}}).at(0).after;
}

}  // namespace

TEST_CASE("the probe stands in front of the changed line", "[run]") {
  std::string const error = std::string("#error ") + probe_message + "\n";
  CHECK(probe("one\ntwo\n", "one\ntWo\n") == "one\n" + error + "two\n");
  CHECK(probe("one\n", "One\n") == error + "one\n");
  CHECK(probe("#define A \\\n  two\n", "#define A \\\n  tWo\n") == error + "#define A \\\n  two\n");
}

TEST_CASE("only what a preprocessor reads is probed", "[run]") {
  CHECK(probe_files({{"a.py", "1", "2", "", ""}}).empty());
  auto const probes = probe_files({{"a.cuh", "1", "2", "", ""}});
  REQUIRE(probes.size() == 1);
  CHECK(probes[0].after_sha256 == sha256(probes[0].after));
}
