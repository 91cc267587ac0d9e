#include "mutants/driver/run/last_killers.h"

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("the law that went red last for a function is asked first, then that of its file", "[run]") {
  LastKillers killers;
  auto const answer = [&](const std::string& file, const std::string& function) {
    auto const red = killers.of(file, function);
    return red ? red->gate + "/" + red->law : "none";
  };
  CHECK(answer("a.cpp", "f") == "none");
  killers.add("a.cpp", "f", {"g", "first"});
  killers.add("a.cpp", "h", {"g", "second"});
  CHECK(answer("a.cpp", "f") == "g/first");
  CHECK(answer("a.cpp", "h") == "g/second");
  CHECK(answer("a.cpp", "other") == "g/second");
  CHECK(answer("b.cpp", "f") == "none");
  killers.add("a.cpp", "f", {"h", "third"});
  CHECK(answer("a.cpp", "f") == "h/third");
}
