#include "properties/laws.h"

namespace redproof::properties {

LawVerdict worse(LawVerdict a, LawVerdict b) {
  if (a == LawVerdict::red || b == LawVerdict::red) return LawVerdict::red;
  return a == LawVerdict::green ? b : a;
}

}  // namespace redproof::properties
