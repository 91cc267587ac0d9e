#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace redproof::engine {

// While a range is watched, SIGBUS inside it (a page past the end of the mapped file) prints "FILE: shrank while it was mapped" on stderr
// and exits 1. SIGBUS elsewhere goes to the handler that was there before. Returns a handle, or -1 where the table is full.
int watch_mapping(std::span<const std::byte> range, const std::string& file);
void unwatch_mapping(int handle);

}  // namespace redproof::engine
