#pragma once

namespace redproof::engine::cli {

// Memory read bandwidth of this machine: the best of several passes over a buffer much larger than its caches, on 1 and on 2 threads.
double read_gb_per_s();

}  // namespace redproof::engine::cli
