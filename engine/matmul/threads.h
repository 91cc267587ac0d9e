#pragma once
#include <cstdint>
#include <functional>

namespace redproof::engine {

// Runs body(begin, end) over [0, count) in `threads` contiguous parts, the same parts for the same arguments. The pool starts on the first
// call that needs it; a call that finds it busy (another engine's, or a nested one) runs its parts itself, one after the other.
// Returns when every part that started has ended; throws what the first part that failed threw.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t, std::int64_t)>& body);

}  // namespace redproof::engine
