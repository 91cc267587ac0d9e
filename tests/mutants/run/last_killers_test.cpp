#include "mutants/driver/run/last_killers.h"

#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

Mutant mutant_in(const std::string& file, const std::string& function, const std::string& signature = "") {
  Mutant mutant;
  mutant.edits = {{file, function, signature, "", EditKind::text, {}}};
  return mutant;
}

std::string answer(const LastKillers& killers, const Mutant& mutant) {
  auto const red = killers.of(mutant);
  return red ? red->gate + "/" + red->law : "none";
}

}  // namespace

TEST_CASE("the law that went red last for a function is asked first, then that of its file", "[run]") {
  LastKillers killers;
  CHECK(answer(killers, mutant_in("a.cpp", "f")) == "none");
  killers.add(mutant_in("a.cpp", "f"), {"g", "first"});
  killers.add(mutant_in("a.cpp", "h"), {"g", "second"});
  CHECK(answer(killers, mutant_in("a.cpp", "f")) == "g/first");
  CHECK(answer(killers, mutant_in("a.cpp", "h")) == "g/second");
  CHECK(answer(killers, mutant_in("a.cpp", "other")) == "g/second");
  CHECK(answer(killers, mutant_in("a.cpp", "f", "(int)")) == "g/second");
  CHECK(answer(killers, mutant_in("b.cpp", "f")) == "none");
  killers.add(mutant_in("a.cpp", "f"), {"h", "third"});
  CHECK(answer(killers, mutant_in("a.cpp", "f")) == "h/third");
}
