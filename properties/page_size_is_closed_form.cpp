// The bytes of a block are counted, not measured: block_tokens * kv_heads * head_dim elements a side, two sides, one byte each in an fp8
// cache. What the loader plans, what a layer's strides span and what the cache allocates all say the same. Each side has a page a block,
// slots within pages, heads within slots and lanes within heads, without gaps.
#include "oracle/address/kv_address.h"
#include "oracle/sizing/kv_size.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

struct Shape {
  std::int32_t layers;
  std::int32_t q_heads;
  std::int32_t kv_heads;
  std::int32_t head_dim;
  std::int32_t block_tokens;
  std::int64_t num_blocks;
};

constexpr Shape shapes[] = {{3, 6, 2, 20, 16, 256}, {1, 3, 3, 12, 5, 1}, {2, 10, 5, 28, 1, 1000}, {1, 2, 1, 4, 1, 70000}};

void check(const std::string& what, std::int64_t observed, oracle::Wide truth, const std::string& inputs, Tally& tally) {
  if (tally.equal(truth == observed))
    tally.witness({what, inputs, std::to_string(observed), std::to_string(static_cast<std::int64_t>(truth))});
}

void check_side(const std::string& side, const engine::KvPages& pages, const Shape& shape, std::int64_t lane_bytes,
                const std::string& inputs, Tally& tally) {
  auto const truth = oracle::contiguous_strides({shape.num_blocks, shape.block_tokens, shape.kv_heads, shape.head_dim, lane_bytes});
  check(side + "'s pages", pages.pages, shape.num_blocks, inputs, tally);
  check(side + "'s page stride", pages.page_stride_bytes, truth.page_bytes, inputs, tally);
  check(side + "'s slot stride", pages.slot_stride_bytes, truth.slot_bytes, inputs, tally);
  check(side + "'s head stride", pages.head_stride_bytes, truth.head_bytes, inputs, tally);
}

void check_engine(const Shape& shape, const std::string& flag, Tally& tally) {
  CheckpointOptions options;
  options.layers = shape.layers;
  options.q_heads = shape.q_heads;
  options.kv_heads = shape.kv_heads;
  options.head_dim = shape.head_dim;
  CheckpointDir const dir(options);
  auto load = engine_options(dir.path(), flag);
  load.block_tokens = shape.block_tokens;
  load.pool.num_blocks = shape.num_blocks;
  auto loaded = load_engine(load);
  std::string const inputs = flag + ", " + std::to_string(shape.layers) + " layers of " + std::to_string(shape.kv_heads) + " x " +
                             std::to_string(shape.head_dim) + ", " + std::to_string(shape.num_blocks) + " blocks of " +
                             std::to_string(shape.block_tokens);
  if (loaded.refused) {
    if (tally.equal(false)) tally.witness({"load", inputs, loaded.message, "loaded"});
    return;
  }
  auto& engine = loaded.engine.front();
  oracle::KvSizeLayer const layer{shape.block_tokens, shape.kv_heads, shape.head_dim, flag == "fp8" ? oracle::e4m3fn : oracle::bf16};
  std::vector<oracle::KvSizeLayer> const layers(static_cast<std::size_t>(shape.layers), layer);
  auto const& plan = engine.plan();
  tally.count(flag == "fp8" ? "fp8 caches" : "bf16 caches");
  if (shape.num_blocks > 256) tally.count("more than 256 blocks");
  check("blocks of the plan", plan.pool->num_blocks, shape.num_blocks, inputs, tally);
  check("bytes of a block", engine::block_bytes(plan.specs), oracle::block_bytes(layers), inputs, tally);
  check("bytes of the plan", plan.pool->bytes, oracle::pool_bytes(layers, shape.num_blocks), inputs, tally);
  check("bytes of the cache", engine.cache().allocated_bytes(), oracle::pool_bytes(layers, shape.num_blocks), inputs, tally);
  for (std::size_t i = 0; i < plan.specs.size(); ++i) {
    check("bytes of one layer's block", engine::block_bytes(plan.specs[i]), oracle::block_bytes(layer), inputs, tally);
    check_side("K", engine.cache().layer(i).k, shape, oracle::element_bytes(layer.format), inputs, tally);
    check_side("V", engine.cache().layer(i).v, shape, oracle::element_bytes(layer.format), inputs, tally);
  }
}

}  // namespace

LawVerdict page_size_is_closed_form() {
  Law law{"page_size_is_closed_form", "cpu", "exact: 2 * block_tokens * kv_heads * head_dim * bytes an element, summed over layers"};
  law.floors = {{"fp8 caches", 4}, {"bf16 caches", 4}, {"more than 256 blocks", 4}};
  law.separates = {"sizing/two_bytes_for_fp8", "pool/v_page_fewer_of_many", "pool/heads_outside_slots"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& shape : shapes) {
      check_engine(shape, "fp8", tally);
      check_engine(shape, "bfloat16", tally);
    }
  });
}

}  // namespace redproof::properties
