#include "oracle/sizing/capacity.h"

#include "oracle/sizing/kv_size.h"
#include "tests/catch.h"

using namespace redproof::oracle;

namespace {

// A model with 42 convolution, 35 sliding-window and 7 full layers in groups of 7, whose convolution page of 32 KiB sets the page; an
// attention layer of 16 KiB at 16 tokens in bfloat16 fills it with 32 tokens, in fp8 with 64.
struct Capacity {
  std::int64_t conv, sliding, full, tokens;
};

Capacity capacity_of(const FloatFormat& format, const RequestLimits& limits, std::int64_t num_blocks) {
  Wide const page = 4 * 2 * 2048 * 2;
  std::int64_t const block_tokens = blocks_in(page, block_bytes(KvSizeLayer{1, 4, 64, format}));
  CapacityGroup const groups[] = {{6, 4, 4}, {5, block_tokens, 512}, {1, block_tokens, 0}};
  return {blocks_of_request(groups[0], limits), blocks_of_request(groups[1], limits), blocks_of_request(groups[2], limits),
          capacity_tokens(groups, limits, num_blocks)};
}

struct Row {
  std::int64_t max_tokens, batch_tokens;
  Capacity bf16, fp8;
};

// Published figures of an fp8 KV cache for that model in vLLM (pull request 54705); two batches are in flight.
constexpr Row rows[] = {
    {8'192, 16'384, {12'294, 1'285, 256, 317'012}, {12'294, 645, 128, 335'644}},
    {131'072, 16'384, {49'164, 5'205, 4'096, 1'200'271}, {49'164, 2'605, 2'048, 1'303'934}},
    {131'072, 8'192, {24'588, 2'645, 4'096, 2'239'900}, {24'588, 1'325, 2'048, 2'509'704}},
    {131'072, 2'048, {6'156, 725, 4'096, 6'392'807}, {6'156, 365, 2'048, 8'189'269}},
    {1'048'576, 16'384, {49'164, 5'205, 32'768, 6'442'622}, {49'164, 2'605, 16'384, 8'237'213}},
    {1'048'576, 2'048, {6'156, 725, 32'768, 14'159'015}, {6'156, 365, 16'384, 24'509'531}},
};

int rows_reproduced(std::int64_t num_blocks) {
  int reproduced = 0;
  for (auto const& row : rows) {
    RequestLimits const limits{row.max_tokens, 2 * row.batch_tokens};
    reproduced += capacity_of(bf16, limits, num_blocks).tokens == row.bf16.tokens;
    reproduced += capacity_of(e4m3fn, limits, num_blocks).tokens == row.fp8.tokens;
  }
  return reproduced;
}

}  // namespace

TEST_CASE("blocks of a request are those of the published table, kind by kind", "[capacity]") {
  for (auto const& row : rows) {
    RequestLimits const limits{row.max_tokens, 2 * row.batch_tokens};
    CAPTURE(row.max_tokens, row.batch_tokens);
    for (auto const& [format, published] : {std::pair{bf16, row.bf16}, std::pair{e4m3fn, row.fp8}}) {
      auto const capacity = capacity_of(format, limits, 535'384);
      CHECK(capacity.conv == published.conv);
      CHECK(capacity.sliding == published.sliding);
      CHECK(capacity.full == published.full);
      CHECK(capacity.tokens == published.tokens);
    }
  }
}

TEST_CASE("one number of blocks reproduces all published pool sizes, and neither neighbour does", "[capacity]") {
  CHECK(rows_reproduced(535'384) == 12);
  CHECK(rows_reproduced(535'383) < 12);
  CHECK(rows_reproduced(535'385) < 12);
}

TEST_CASE("a sliding window takes one block more than its tokens fill, a full layer does not", "[capacity]") {
  RequestLimits const limits{64, 1};
  CHECK(blocks_of_request(CapacityGroup{1, 16, 0}, limits) == 4);
  CHECK(blocks_of_request(CapacityGroup{1, 16, 16}, limits) == 2);
  CHECK(blocks_of_request(CapacityGroup{1, 16, 17}, limits) == 3);
  CHECK(blocks_of_request(CapacityGroup{1, 16, 1000}, limits) == 5);
  CHECK(blocks_of_request(CapacityGroup{3, 16, 1000}, limits) == 15);
}
