#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("every layer has the spec of its configuration", "[kv_layer_specs]") { CHECK_LAW(layer_specs_follow_config()); }
