// What every gate case shares: a law's verdict must be green. The evidence, not this assertion, decides the gate.
#pragma once
#include "properties/laws.h"
#include "tests/catch.h"

#define CHECK_LAW(law) CHECK((law) == redproof::properties::LawVerdict::green)
