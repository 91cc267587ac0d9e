#pragma once
#include <cstdint>
#include <functional>

namespace redproof::engine {

// Runs body(begin, end) over [0, count) in `threads` contiguous parts. The pool starts on the first call that needs it.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t, std::int64_t)>& body);

}  // namespace redproof::engine
