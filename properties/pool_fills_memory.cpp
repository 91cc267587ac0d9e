// A pool holds the most whole blocks that its memory allows: twice as many for fp8, exactly, where the memory is a whole number of bfloat16
// blocks; the count that was asked for; or the documented default, which then takes half the bytes.
#include "oracle/sizing/kv_size.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

void check(const std::string& what, std::int64_t observed, std::int64_t truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({what, "", std::to_string(observed), std::to_string(truth)});
}

engine::KvPoolPlan pool_of(const std::filesystem::path& dir, const std::string& flag, const engine::KvPoolRequest& request) {
  auto const planned = plan_directory(dir, flag, request);
  if (planned.refused || !planned.plan.pool) return {-1, -1};
  return *planned.plan.pool;
}

void check_memory(const CheckpointDir& dir, const CheckpointOptions& options, std::int64_t bf16_blocks, std::int64_t rest, Tally& tally) {
  auto const layer_of = [&options](const oracle::FloatFormat& format) {
    return std::vector<oracle::KvSizeLayer>(static_cast<std::size_t>(options.layers),
                                            {engine::default_block_tokens, options.kv_heads, options.head_dim, format});
  };
  auto const bf16_block = oracle::block_bytes(layer_of(oracle::bf16));
  auto const fp8_block = oracle::block_bytes(layer_of(oracle::e4m3fn));
  auto const memory = static_cast<std::int64_t>(bf16_block * bf16_blocks + rest);
  engine::KvPoolRequest const request{std::nullopt, memory};
  std::int64_t const bf16 = pool_of(dir.path(), "bfloat16", request).num_blocks;
  std::int64_t const fp8 = pool_of(dir.path(), "fp8_e4m3", request).num_blocks;
  std::string const inputs = std::to_string(memory) + " bytes of memory";
  check("bfloat16 blocks in " + inputs, bf16, oracle::blocks_in(memory, bf16_block), tally);
  check("fp8 blocks in " + inputs, fp8, oracle::blocks_in(memory, fp8_block), tally);
  if (rest == 0) {
    tally.count("exact multiples");
    check("fp8 blocks against bfloat16 blocks in " + inputs, fp8, 2 * bf16, tally);
  }
}

}  // namespace

LawVerdict pool_fills_memory() {
  Law law{"pool_fills_memory", "cpu", "exact: floor(memory / bytes of a block)"};
  law.cases = 6;
  law.floors = {{"exact multiples", 6}, {"both sizes", 6}, {"too small", 6}};
  law.separates = {"sizing/two_bytes_for_fp8", "sizing/one_block_more", "pool/both_sizes_taken"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    CheckpointOptions options;
    options.layers = static_cast<std::int32_t>(draw.integer("layers", 1, 4));
    options.weights = WeightsFile::absent;
    CheckpointDir const dir(options);
    auto const blocks = draw.integer("blocks", 1, 300);
    check_memory(dir, options, blocks, 0, tally);
    check_memory(dir, options, blocks, draw.integer("rest", 1, 999), tally);
    check("blocks asked for", pool_of(dir.path(), "fp8", {blocks, std::nullopt}).num_blocks, blocks, tally);
    auto const by_default = pool_of(dir.path(), "fp8", {});
    check("default blocks", by_default.num_blocks, engine::default_num_blocks, tally);
    check("bytes of the default, doubled", 2 * by_default.bytes, pool_of(dir.path(), "bfloat16", {}).bytes, tally);
    auto const both = plan_directory(dir.path(), "fp8", {blocks, 1 << 30});
    tally.count("both sizes");
    bool const named =
        both.message.find("--num-blocks") != std::string::npos && both.message.find("--kv-cache-memory") != std::string::npos;
    check("a count and a memory together are refused, both by name", both.refused && named ? 1 : 0, 1, tally);
    tally.count("too small");
    check("a memory of 7 bytes is refused", plan_directory(dir.path(), "fp8", {std::nullopt, 7}).refused ? 1 : 0, 1, tally);
  });
}

}  // namespace redproof::properties
