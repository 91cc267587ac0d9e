#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("addresses are exact at any page", "[kv_address]") {
  CHECK_LAW(address_is_exact());
  CHECK_LAW(slot_is_exact());
}
