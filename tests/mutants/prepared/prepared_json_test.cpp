#include "mutants/driver/prepared/prepared.h"
#include "mutants/driver/report/schemas.h"
#include "tests/catch.h"
#include "tests/mutants/report/schema_check.h"

using namespace redproof::mutants;

TEST_CASE("prepared.json follows its schema and keeps what the numbers mean", "[prepared]") {
  Prepared prepared;
  prepared.numbering = {{{"a.cpp", "f", 1, false}, {"a.cpp", "g", 9, true}}, {{"g/a", 3}}, {{3, {0, 1}}}};
  prepared.pristine["gate"].id = "gate";
  std::string const text = to_json(prepared);
  CHECK(test::violations(text, schema_of("prepared")) == std::vector<std::string>{});
  CHECK_THAT(text, ContainsSubstring("\"id\": \"g/a\",\n    \"number\": 3"));
}
