#include "gates/runner/listing.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

Gate described() {
  auto gate = shell_gate("kv_store", "exit 0");
  gate.claim = "a \x1b[1mclaim";
  gate.subjects = {"cpu", "cuda"};
  gate.laws = {"law_a"};
  gate.surface = {{"src/a.cpp", "store"}};
  gate.needs = {"file:x"};
  gate.blind_spots = {{"reads", "kv_read"}, {"the rest", std::nullopt}};
  gate.stage = Stage::nightly;
  gate.kept_because = "it is first";
  return gate;
}

}  // namespace

TEST_CASE("a listing has a line a gate and counts them", "[listing]") {
  CHECK(human_listing({described(), shell_gate("other", "")}) ==
        "kv_store                         cpu, cuda    nightly  a \\x1b[1mclaim\n"
        "other                            cpu          premerge what it claims\n2 gates\n");
  CHECK(human_listing({}) == "0 gates\n");
}

TEST_CASE("a gate's page says everything that its file says", "[listing]") {
  CHECK(human_page(described()) ==
        "gate         kv_store\nclaim        a \\x1b[1mclaim\ntheorem      why it holds\nsubjects     cpu, cuda\n"
        "run          /bin/sh -c exit 0\nlaws         law_a\nneeds        file:x\ntimeout      60 s\nstage        nightly\nsurface      "
        "src/a.cpp::store\n"
        "blind spot   reads (seen by kv_read)\nblind spot   the rest (seen by no gate)\nkept because it is first\n");
}
