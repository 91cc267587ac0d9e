#pragma once
#include <cstdint>
#include <span>

namespace redproof::oracle {

// Layers that hold the same number of blocks of a request. window_tokens 0: full attention.
struct CapacityGroup {
  std::int64_t groups;
  std::int64_t block_tokens;
  std::int64_t window_tokens;
};

struct RequestLimits {
  std::int64_t max_tokens;        // of one request
  std::int64_t in_flight_tokens;  // tokens of a request that may be scheduled before its oldest blocks are given back
};

// Blocks that one request of max_tokens needs. A sliding window needs one more than its tokens fill: it may start inside a block.
std::int64_t blocks_of_request(const CapacityGroup& group, const RequestLimits& limits);
std::int64_t blocks_of_request(std::span<const CapacityGroup> groups, const RequestLimits& limits);

// Tokens that a pool holds when every request is max_tokens long: floor(num_blocks * max_tokens / blocks_of_request).
std::int64_t capacity_tokens(std::span<const CapacityGroup> groups, const RequestLimits& limits, std::int64_t num_blocks);

}  // namespace redproof::oracle
