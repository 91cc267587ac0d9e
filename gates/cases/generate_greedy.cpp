#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("generation is greedy, chunked and stopped as told", "[generate_greedy]") {
  CHECK_LAW(token_is_greedy());
  CHECK_LAW(generation_stops_where_told());
  CHECK_LAW(passes_hold_their_tokens());
  CHECK_LAW(observers_see_every_row());
  CHECK_LAW(bad_chunk_is_refused());
}
