// What every gate case shares: a law's verdict must be green, where it is asked for. The evidence, not this assertion, decides the gate.
#pragma once
#include "properties/laws.h"
#include "tests/catch.h"

#define CHECK_LAW(law)                                                                                     \
  do {                                                                                                     \
    if (redproof::properties::is_asked_for(#law)) CHECK((law) == redproof::properties::LawVerdict::green); \
  } while (false)
