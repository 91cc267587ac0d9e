#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("a page has the size that its format demands", "[kv_page_size]") { CHECK_LAW(page_size_is_closed_form()); }
