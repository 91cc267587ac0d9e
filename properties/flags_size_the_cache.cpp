// Through the program's real command line: --num-blocks, --kv-cache-memory (bytes, KiB, MiB, GiB), --block-size, --max-tokens and
// --ignore-eos reach the engine. What `inspect --json` prints are the oracle's sizes; `generate` is served by the smallest pool that
// holds its tokens and refused by one block, or one byte, less; a value out of range is refused by its flag's name, by the command line
// and by the engine itself.
#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

#include "engine/types/error.h"
#include "oracle/sizing/kv_size.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"
#include "properties/subjects/engine_program.h"

namespace redproof::properties {
namespace {

using Words = std::vector<std::string>;

constexpr const char* prompt = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21";
constexpr std::int64_t prompt_tokens = 21;
constexpr std::int64_t default_new_tokens = 64;

std::string typed(const Words& words) {
  std::string text;
  for (auto const& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

void check(const std::string& where, const std::string& inputs, const std::string& observed, const std::string& truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, observed, truth});
}

// An integer field that the JSON text has; of several, the last: those of the whole cache come after the layers'.
std::string field(const std::string& json, const std::string& name) {
  auto const at = json.rfind("\"" + name + "\": ");
  if (at == std::string::npos) return "absent";
  auto const begin = at + name.size() + 4;
  return json.substr(begin, json.find_first_of(",\n}", begin) - begin);
}

std::string number(oracle::Wide value) { return std::to_string(static_cast<std::int64_t>(value)); }

// The dtype comes from the documents, so that no other flag has a part in this.
struct Cache {
  CheckpointOptions options;
  oracle::FloatFormat format;
  std::vector<oracle::KvSizeLayer> layers(std::int64_t block_tokens) const {
    return std::vector<oracle::KvSizeLayer>(static_cast<std::size_t>(options.layers),
                                            {block_tokens, options.kv_heads, options.head_dim, format});
  }
};

struct Sized {
  Words flags;
  std::int64_t block_tokens;
  std::int64_t blocks;  // asked for, or 0 ...
  oracle::Wide memory;  // ... and the bytes that they have to fit in
};

std::vector<Sized> sized_cases(const Cache& cache) {
  oracle::Wide const exact = oracle::pool_bytes(cache.layers(16), 41);
  oracle::Wide const many = oracle::pool_bytes(cache.layers(16), 2'000'003);  // GiB: more digits than a float32 has
  return {
      {{}, 16, engine::default_num_blocks, 0},
      {{"--num-blocks", "37"}, 16, 37, 0},
      {{"--num-blocks=1"}, 16, 1, 0},
      {{"--block-size", "5"}, 5, engine::default_num_blocks, 0},
      {{"--num-blocks", "12", "--block-size=32"}, 32, 12, 0},
      {{"--kv-cache-memory", number(exact)}, 16, 0, exact},
      {{"--kv-cache-memory", number(exact - 1)}, 16, 0, exact - 1},
      {{"--kv-cache-memory", number(many)}, 16, 0, many},
      {{"--kv-cache-memory", number(many - 1)}, 16, 0, many - 1},
      {{"--kv-cache-memory", "997KiB"}, 16, 0, oracle::Wide{997} * 1024},
      {{"--kv-cache-memory=61MiB"}, 16, 0, oracle::Wide{61} * 1024 * 1024},
      {{"--kv-cache-memory", "3GiB"}, 16, 0, oracle::Wide{3} * 1024 * 1024 * 1024},
      {{"--block-size", "7", "--kv-cache-memory", "5MiB"}, 7, 0, oracle::Wide{5} * 1024 * 1024},
  };
}

void check_inspect(const CheckpointDir& dir, const Cache& cache, const Sized& one, Tally& tally) {
  auto const layers = cache.layers(one.block_tokens);
  std::int64_t const blocks = one.blocks > 0 ? one.blocks : oracle::blocks_in(one.memory, oracle::block_bytes(layers));
  auto const run = run_engine(Words{"inspect", "--model", dir.path().string(), "--json"} + one.flags);
  std::string const inputs = "inspect " + typed(one.flags) + (total_bits(cache.format) == 8 ? ", fp8 declared" : ", nothing declared");
  tally.count(one.blocks > 0 ? "sized by a count" : "sized by a memory");
  check("exit code", inputs, std::to_string(run.exit_code), "0", tally);
  check("num_blocks", inputs, field(run.out, "num_blocks"), std::to_string(blocks), tally);
  check("bytes_per_block", inputs, field(run.out, "bytes_per_block"), number(oracle::block_bytes(layers)), tally);
  check("pool_bytes", inputs, field(run.out, "pool_bytes"), number(oracle::pool_bytes(layers, blocks)), tally);
  check("layers of that block_tokens", inputs,
        std::to_string(lines_with(run.out, "\"block_tokens\": " + std::to_string(one.block_tokens) + ",")),
        std::to_string(cache.options.layers), tally);
}

ProgramRun generate(const CheckpointDir& dir, const Words& flags) {
  return run_engine(Words{"generate", "--model", dir.path().string(), "--tokens", prompt} + flags);
}

// The number of tokens on the one line that is printed.
std::string tokens_of(const ProgramRun& run) {
  if (run.exit_code != 0) return "exit code " + std::to_string(run.exit_code) + ": " + run.err;
  return std::to_string(std::count(run.out.begin(), run.out.end(), ',') + 1);
}

void check_served(const CheckpointDir& dir, const Words& flags, std::int64_t tokens, Tally& tally) {
  tally.count("served");
  check("new tokens", "generate " + typed(flags), tokens_of(generate(dir, flags)), std::to_string(tokens), tally);
}

void check_refused(const ProgramRun& run, const std::string& inputs, const std::string& flag, Tally& tally) {
  tally.count("refused");
  check("exit code", inputs, std::to_string(run.exit_code), "1", tally);
  check("lines that name " + flag, inputs, std::to_string(lines_with(run.err, flag)), "1", tally);
  check("stdout", inputs, run.out, "", tally);
}

void check_generate_refused(const CheckpointDir& dir, const Words& flags, const std::string& flag, Tally& tally) {
  check_refused(generate(dir, flags), "generate " + typed(flags), flag, tally);
}

// 21 tokens and 12 new ones store 32: two blocks of 16, four of 8, seven of 5. And 13 new ones store 33: a block of 16 more.
void check_pools(const CheckpointDir& dir, const Cache& cache, Tally& tally) {
  Words const twelve = {"--max-tokens", "12"};
  check_served(dir, twelve + Words{"--num-blocks", "2"}, 12, tally);
  check_generate_refused(dir, twelve + Words{"--num-blocks", "1"}, "--num-blocks", tally);
  check_generate_refused(dir, {"--max-tokens=13", "--num-blocks=2"}, "--num-blocks", tally);
  for (auto const& [size, blocks] : {std::pair{8, 4}, {5, 7}}) {
    Words const sized = twelve + Words{"--block-size", std::to_string(size), "--num-blocks"};
    check_served(dir, sized + Words{std::to_string(blocks)}, 12, tally);
    check_generate_refused(dir, sized + Words{std::to_string(blocks - 1)}, "--num-blocks", tally);
  }
  oracle::Wide const two = oracle::pool_bytes(cache.layers(16), 2);
  check_served(dir, twelve + Words{"--kv-cache-memory", number(two)}, 12, tally);
  check_generate_refused(dir, twelve + Words{"--kv-cache-memory", number(two - 1)}, "--kv-cache-memory", tally);
  check_served(dir, {}, default_new_tokens, tally);
  check_served(dir, {"--max-tokens", "1", "--num-blocks", "2", "--chunk-tokens", "5"}, 1, tally);
}

void check_out_of_range(const CheckpointDir& dir, Tally& tally) {
  for (auto const& flags : std::vector<Words>{{"--num-blocks", "0"},
                                              {"--num-blocks", "2147483648"},
                                              {"--kv-cache-memory", "0"},
                                              {"--kv-cache-memory", "7"},
                                              {"--kv-cache-memory", "1.5GiB"},
                                              {"--kv-cache-memory", "9007199254740992KiB"},
                                              {"--block-size", "0"},
                                              {"--block-size", "65537"},
                                              {"--block-size", "8x"}}) {
    for (const char* const command : {"inspect", "generate"}) {
      Words line = {command, "--model", dir.path().string()};
      if (std::string(command) == "generate") line = line + Words{"--tokens", prompt};
      check_refused(run_engine(line + flags), std::string(command) + " " + typed(flags), flags.front(), tally);
    }
  }
  for (const char* const flag : {"--max-tokens", "--chunk-tokens"}) check_generate_refused(dir, {flag, "0"}, flag, tally);
  check_generate_refused(dir, {"--chunk-tokens", "1048577"}, "--chunk-tokens", tally);
}

// The last count of each unit whose bytes fit in 64 bits, and the one after it. Blocks of 2^46 bytes keep their number in 32 bits.
void check_unit_limits(Tally& tally) {
  Cache cache{{}, oracle::bf16};
  cache.options.layers = 256;
  cache.options.q_heads = cache.options.kv_heads = 512;
  cache.options.head_dim = 2048;
  cache.options.weights = WeightsFile::absent;
  CheckpointDir const dir(cache.options);
  std::int64_t const most = std::numeric_limits<std::int64_t>::max();
  for (auto const& [unit, bytes] : {std::pair{"", std::int64_t{1}}, {"KiB", 1LL << 10}, {"MiB", 1LL << 20}, {"GiB", 1LL << 30}}) {
    tally.count("units at their limit");
    std::string const last = std::to_string(most / bytes) + unit;
    check_inspect(dir, cache, {{"--kv-cache-memory", last, "--block-size", "65536"}, 65536, 0, oracle::Wide{most / bytes} * bytes}, tally);
    std::string const next = std::to_string(static_cast<std::uint64_t>(most / bytes) + 1) + unit;
    auto const run = run_engine({"inspect", "--model", dir.path().string(), "--kv-cache-memory", next, "--block-size", "65536"});
    check_refused(run, "inspect --kv-cache-memory " + next, "--kv-cache-memory: '" + next + "' is not a number of bytes", tally);
  }
}

// The engine's own limits, for callers that have no command line.
void check_options(const CheckpointDir& dir, Tally& tally) {
  struct Limit {
    const char* flag;
    std::int64_t most;
    std::function<void(engine::EngineOptions&, std::int64_t)> set;
  };
  std::vector<Limit> const limits = {
      {"--block-size", 65536, [](auto& options, std::int64_t value) { options.block_tokens = static_cast<std::int32_t>(value); }},
      {"--chunk-tokens", 1 << 20, [](auto& options, std::int64_t value) { options.chunk_tokens = value; }},
      {"--threads", 1024, [](auto& options, std::int64_t value) { options.cpu.threads = static_cast<int>(value); }},
  };
  for (auto const& limit : limits) {
    for (std::int64_t const value : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, limit.most, limit.most + 1}) {
      auto options = engine_options(dir.path(), "auto");
      limit.set(options, value);
      std::string refusal = "taken";
      try {
        engine::plan_engine(options);
      } catch (const engine::Refusal& refused) {
        refusal = refused.what();
      }
      bool const inside = value >= 1 && value <= limit.most;
      tally.count("options of the engine");
      check("plan", std::string(limit.flag) + " " + std::to_string(value), refusal.substr(0, refusal.find(':')),
            inside ? "taken" : limit.flag, tally);
    }
  }
}

// A checkpoint whose end-of-text token is the first that it generates.
void check_ignore_eos(const CheckpointDir& dir, CheckpointOptions options, Tally& tally) {
  std::int64_t first = -1;
  auto const run = generate(dir, {"--max-tokens", "1"});
  auto const [end, error] = std::from_chars(run.out.data(), run.out.data() + run.out.size(), first);
  check("one token on a line", "generate --max-tokens 1", error == std::errc{} && *end == '\n' ? "yes" : run.out + run.err, "yes", tally);
  options.extra_config = "{\"eos_token_id\": " + std::to_string(std::max<std::int64_t>(first, 0)) + "}";
  CheckpointDir const ends(options);
  tally.count("ends");
  check_served(ends, {"--max-tokens", "6"}, 1, tally);
  check_served(ends, {"--max-tokens", "6", "--ignore-eos"}, 6, tally);
}

}  // namespace

LawVerdict flags_size_the_cache() {
  Law law{"flags_size_the_cache", "cpu", "exact: the oracle's sizes, counts of tokens, exit codes"};
  law.floors = {{"sized by a count", 10},    {"sized by a memory", 20},    {"served", 16}, {"refused", 35}, {"ends", 2},
                {"units at their limit", 4}, {"options of the engine", 30}};
  law.separates = {"flag/kib_is_1000",
                   "flag/block_size_not_passed_on",
                   "flag/num_blocks_not_passed_on",
                   "flag/max_tokens_not_passed_on",
                   "flag/ignore_eos_not_passed_on",
                   "flag/block_size_unlimited",
                   "flag/memory_through_float",
                   "flag/unit_overflows"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (bool const fp8 : {true, false}) {
      Cache cache{{}, fp8 ? oracle::e4m3fn : oracle::bf16};
      cache.options.extra_config = R"({"eos_token_id": null})";
      if (fp8) cache.options.quantization_config = modelopt_fp8_inline;
      CheckpointDir const dir(cache.options);
      for (auto const& one : sized_cases(cache)) check_inspect(dir, cache, one, tally);
      check_pools(dir, cache, tally);
      check_out_of_range(dir, tally);
      check_ignore_eos(dir, cache.options, tally);
      check_options(dir, tally);
    }
    check_unit_limits(tally);
  });
}

}  // namespace redproof::properties
