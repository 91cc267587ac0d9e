// Whatever dtype a projection emitted, its side is rounded to bfloat16 first: K float32 with V bfloat16, and the reverse, and float16,
// store the bytes that bfloat16 sources store; infinities, NaN, zeros, subnormals and ties too.
#include <cstring>

#include "oracle/format.h"
#include "oracle/stored_byte.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::DType;

constexpr std::size_t every_code = 1 << 16;

// One side's values in a dtype, and the bfloat16 codes that they have to become.
struct Source {
  DType dtype;
  std::vector<std::byte> data;
  std::vector<std::uint16_t> bf16;
};

std::uint32_t finite_f32(std::uint64_t random) {
  auto const bits = static_cast<std::uint32_t>(random);
  return (bits & 0x7F800000) == 0x7F800000 ? bits ^ 0x40000000 : bits;
}

// float32 bit patterns, one kind after the other.
std::uint32_t f32_bits(std::size_t element, std::uint64_t random) {
  auto const bits = static_cast<std::uint32_t>(random);
  std::uint32_t const sign = bits & 0x80000000;
  switch (element % 16) {
    case 0:
      return (finite_f32(random) & 0xFFFF0000) | 0x8000;  // a tie of bfloat16, of either parity
    case 1:
      return sign | 0x7F800000 | (element % 32 < 16 ? 1 : (bits & 0xFFFF) | 1);  // NaN whose payload lies below what bfloat16 keeps
    case 2:
      return sign | 0x7FFF8000 | (bits & 0x7FFF);  // NaN that a carry would turn into a zero
    case 3:
      return element % 32 < 16 ? sign | 0x7F800000 : sign;  // infinities and zeros
    case 4:
      return sign | (bits & 0x007FFFFF) | 1;  // subnormal
    case 5:
      return sign | 0x7F7F8000 | (bits & 0x7FFF);  // overflows when it is rounded, at the tie too
    case 6:
      return finite_f32(random);
    case 7:
      return sign | 0x7F7F0000 | (bits & 0x7FFF);  // the largest that does not overflow
    default:
      return (bits & 0x807FFFFF) | static_cast<std::uint32_t>(122 + (random >> 32) % 9) << 23;  // normal in e4m3 at both scales
  }
}

void count_f32(std::uint32_t bits, std::uint16_t rounded, Tally& tally) {
  float value = 0;
  std::memcpy(&value, &bits, 4);
  std::uint32_t const magnitude = bits & 0x7FFFFFFF;
  bool const nan = magnitude > 0x7F800000;
  if (magnitude == 0x7F800001) tally.count("the smallest NaN");
  if (nan) return tally.count((magnitude & 0xFFFF0000) == 0x7F800000 ? "NaN that cutting makes infinite" : "other NaN");
  if (magnitude == 0x7F800000) return tally.count("infinities");
  if (magnitude == 0) return tally.count((bits >> 31) != 0 ? "-0" : "+0");
  if (magnitude < 0x00800000) tally.count("subnormal");
  if ((rounded & 0x7FFF) == 0x7F80) tally.count("rounded to infinity");
  if ((bits & 0xFFFF) == 0x8000) tally.count((bits & 0x10000) != 0 ? "ties above an odd code" : "ties above an even code");
  if ((bits & 0xFFFF) != 0) tally.count("rounded sources");
  // Rounded once, straight to e4m3, this value would give another byte.
  if (oracle::stored_byte_f32(value, 0.25F) != oracle::stored_byte(rounded, 0.25F)) tally.count("double rounding");
}

// float16 takes its codes in order, from a drawn one on; bfloat16 is drawn.
Source source_of(DType dtype, std::size_t count, std::uint64_t seed, Tally& tally) {
  Source source{dtype, std::vector<std::byte>(count * (dtype == DType::f32 ? 4 : 2)), {}};
  std::uint64_t const first = seed;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t const random = next_bits(seed);
    if (dtype == DType::f32) {
      std::uint32_t const bits = f32_bits(i, random);
      std::memcpy(source.data.data() + 4 * i, &bits, 4);
      float value = 0;
      std::memcpy(&value, &bits, 4);
      source.bf16.push_back(oracle::bf16_from_f32(value));
      count_f32(bits, source.bf16.back(), tally);
    } else {
      auto const bits = static_cast<std::uint16_t>(dtype == DType::bf16 ? random : first + i);
      std::memcpy(source.data.data() + 2 * i, &bits, 2);
      source.bf16.push_back(dtype == DType::bf16 ? bits : oracle::bf16_from_f16(bits));
    }
  }
  if (dtype == DType::f16 && count >= every_code) tally.count("sides of all float16 codes");
  return source;
}

struct Side {
  bool value_side;
  const Source& source;
};

// A bfloat16 cache keeps some NaN for a NaN: which one, no format says.
bool is_same(engine::KvStorage storage, std::uint64_t observed, std::uint64_t truth) {
  if (storage == engine::KvStorage::fp8_e4m3 || !oracle::is_nan(oracle::bf16, static_cast<std::uint32_t>(truth))) return observed == truth;
  return oracle::is_nan(oracle::bf16, static_cast<std::uint32_t>(observed));
}

void check_side(const KvFixture& fixture, const Side& side, std::span<const std::int64_t> slots, Tally& tally) {
  auto const& spec = fixture.layer.spec;
  bool const fp8 = spec.storage == engine::KvStorage::fp8_e4m3;
  float const scale = side.value_side ? fixture.layer.scales.v : fixture.layer.scales.k;
  std::size_t element = 0;
  for (std::int64_t const slot : slots) {
    for (std::int32_t head = 0; head < spec.kv_heads; ++head) {
      for (std::int32_t lane = 0; lane < spec.head_dim; ++lane, ++element) {
        auto const at = coordinate_of(slot, spec.block_tokens, head, lane);
        std::uint16_t const code = side.source.bf16[element];
        std::uint64_t const truth = fp8 ? oracle::stored_byte(code, scale) : code;
        std::uint64_t const observed = fixture.bits_at(side.value_side, at);
        if (tally.equal(is_same(spec.storage, observed, truth))) {
          tally.witness({coordinate_text(side.value_side ? "V" : "K", at),
                         "bf16 " + hex(code, 4) + " from dtype " + std::to_string(static_cast<int>(side.source.dtype)),
                         hex(observed, fp8 ? 2 : 4), hex(truth, fp8 ? 2 : 4)});
        }
      }
    }
  }
}

struct Pair {
  engine::KvStorage storage;
  DType k;
  DType v;
};

void check_pair(const KvSubject& subject, const Pair& pair, std::int64_t tokens, std::uint64_t& seed, Tally& tally) {
  KvShape shape;
  shape.storage = pair.storage;
  shape.pages = tokens / shape.block_tokens + 2;
  shape.scales = {0.25F, 2.0F};
  auto slots = permutation(shape.pages * shape.block_tokens, next_bits(seed));
  slots.resize(static_cast<std::size_t>(tokens));
  std::size_t const count = slots.size() * static_cast<std::size_t>(shape.kv_heads * shape.head_dim);
  KvFixture fixture(shape, 0x7F);
  Source const k = source_of(pair.k, count, next_bits(seed), tally);
  Source const v = source_of(pair.v, count, next_bits(seed), tally);
  subject.store({k.data.data(), pair.k}, {v.data.data(), pair.v}, slots, fixture.layer);
  tally.count("dtype pairs");
  check_side(fixture, {false, k}, slots, tally);
  check_side(fixture, {true, v}, slots, tally);
}

}  // namespace

LawVerdict source_dtype_changes_no_byte(const KvSubject& subject) {
  Law law{"source_dtype_changes_no_byte", subject.name, "exact: byte = store(bf16(source)); bf16(source) is nearest, ties to even"};
  law.floors = {{"rounded sources", 5000},
                {"double rounding", 16},
                {"dtype pairs", 20},
                {"sides of all float16 codes", 4},
                {"NaN that cutting makes infinite", 500},
                {"other NaN", 500},
                {"the smallest NaN", 200},
                {"infinities", 200},
                {"+0", 64},
                {"-0", 64},
                {"subnormal", 500},
                {"rounded to infinity", 500},
                {"ties above an odd code", 200},
                {"ties above an even code", 200}};
  law.separates = {"store/f32_source_truncated", "store/v_read_as_k_dtype", "store/f16_source_as_bf16", "bits/bf16_nan_cut",
                   "bits/bf16_nan_rounded",      "bits/bf16_smallest_nan",  "bits/bf16_ties_away",      "bits/bf16_ties_to_zero",
                   "bits/f16_subnormal_flushed", "bits/f16_infinity_finite"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    auto seed = draw.bits("slots and sources");
    for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
      for (auto const k_dtype : {DType::f32, DType::bf16, DType::f16}) {
        for (auto const v_dtype : {DType::f32, DType::bf16, DType::f16}) {
          check_pair(subject, {storage, k_dtype, v_dtype}, 60, seed, tally);
        }
      }
      check_pair(subject, {storage, DType::f16, DType::f16}, 1093, seed, tally);  // 1093 * 60 lanes: every code
    }
  });
}

}  // namespace redproof::properties
