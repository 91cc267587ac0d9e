#include "oracle/sizing/capacity.h"

#include <algorithm>

#include "oracle/wide.h"

namespace redproof::oracle {
namespace {

std::int64_t blocks_for(std::int64_t tokens, std::int64_t block_tokens) {
  return tokens / block_tokens + (tokens % block_tokens != 0 ? 1 : 0);
}

}  // namespace

std::int64_t blocks_of_request(const CapacityGroup& group, const RequestLimits& limits) {
  if (group.window_tokens == 0) return group.groups * blocks_for(limits.max_tokens, group.block_tokens);
  std::int64_t const held = std::min(group.window_tokens - 1 + limits.in_flight_tokens, limits.max_tokens);
  return group.groups * (blocks_for(held, group.block_tokens) + 1);
}

std::int64_t blocks_of_request(std::span<const CapacityGroup> groups, const RequestLimits& limits) {
  std::int64_t sum = 0;
  for (auto const& group : groups) sum += blocks_of_request(group, limits);
  return sum;
}

std::int64_t capacity_tokens(std::span<const CapacityGroup> groups, const RequestLimits& limits, std::int64_t num_blocks) {
  return static_cast<std::int64_t>(Wide{num_blocks} * limits.max_tokens / blocks_of_request(groups, limits));
}

}  // namespace redproof::oracle
