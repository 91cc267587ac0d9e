#pragma once

namespace redproof::oracle::slow {

// The float32 nearest to x / scale, ties to even, for finite x and finite scale > 0: a bisection over float32 values c that compares
// c * scale with x. No division anywhere. An infinite result is returned as such.
float slow_quotient(float x, float scale);

}  // namespace redproof::oracle::slow
