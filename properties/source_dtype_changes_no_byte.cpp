// Whatever dtype a projection emitted, its side is rounded to bfloat16 first: K float32 with V bfloat16, and the reverse, and float16,
// store the bytes that bfloat16 sources store.
#include <cstring>

#include "oracle/stored_byte.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::DType;

// One side's values in a dtype, and the bfloat16 codes that they have to become.
struct Source {
  DType dtype;
  std::vector<std::byte> data;
  std::vector<std::uint16_t> bf16;
};

// Values within the normal range of e4m3 at both scales below, with mantissas that bfloat16 has to round.
Source source_of(DType dtype, std::size_t count, std::uint64_t seed, Tally& tally) {
  Source source{dtype, std::vector<std::byte>(count * (dtype == DType::f32 ? 4 : 2)), {}};
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t const random = next_bits(seed);
    if (dtype == DType::f32) {
      auto const bits = static_cast<std::uint32_t>((random & 0x807FFFFF) | (122 + random % 9) << 23);
      std::memcpy(source.data.data() + 4 * i, &bits, 4);
      float value = 0;
      std::memcpy(&value, &bits, 4);
      source.bf16.push_back(oracle::bf16_from_f32(value));
      if ((bits & 0xFFFF) != 0) tally.count("rounded sources");
      // Rounded once, straight to e4m3, this value would give another byte.
      if (oracle::stored_byte_f32(value, 0.25F) != oracle::stored_byte(source.bf16.back(), 0.25F)) tally.count("double rounding");
    } else {
      auto const exponent = dtype == DType::bf16 ? (122 + random % 9) << 7 : (10 + random % 9) << 10;
      auto const bits = static_cast<std::uint16_t>((random & (dtype == DType::bf16 ? 0x807F : 0x83FF)) | exponent);
      std::memcpy(source.data.data() + 2 * i, &bits, 2);
      source.bf16.push_back(dtype == DType::bf16 ? bits : oracle::bf16_from_f16(bits));
    }
  }
  return source;
}

void check_side(const KvFixture& fixture, bool value_side, const Source& source, std::span<const std::int64_t> slots, Tally& tally) {
  auto const& spec = fixture.layer.spec;
  bool const fp8 = spec.storage == engine::KvStorage::fp8_e4m3;
  float const scale = value_side ? fixture.layer.scales.v : fixture.layer.scales.k;
  std::size_t element = 0;
  for (std::int64_t const slot : slots) {
    for (std::int32_t head = 0; head < spec.kv_heads; ++head) {
      for (std::int32_t lane = 0; lane < spec.head_dim; ++lane, ++element) {
        engine::KvCoordinate const at{slot / spec.block_tokens, static_cast<std::int32_t>(slot % spec.block_tokens), head, lane};
        std::uint64_t const truth = fp8 ? oracle::stored_byte(source.bf16[element], scale) : source.bf16[element];
        std::uint64_t const observed = fixture.bits_at(value_side, at);
        if (tally.equal(observed == truth)) {
          tally.witness({coordinate_text(value_side ? "V" : "K", at),
                         "bf16 " + hex(source.bf16[element], 4) + " from dtype " + std::to_string(static_cast<int>(source.dtype)),
                         hex(observed, fp8 ? 2 : 4), hex(truth, fp8 ? 2 : 4)});
        }
      }
    }
  }
}

}  // namespace

LawVerdict source_dtype_changes_no_byte(const KvSubject& subject) {
  Law law{"source_dtype_changes_no_byte", subject.name, "exact: byte = store(bf16(source)); bf16(source) is nearest, ties to even"};
  law.floors = {{"rounded sources", 5000}, {"double rounding", 16}, {"dtype pairs", 9}};
  law.separates = {"store/f32_source_truncated", "store/v_read_as_k_dtype"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    KvShape shape;
    shape.pages = 40;
    shape.scales = {0.25F, 2.0F};
    auto const slots = permutation(shape.pages * shape.block_tokens, draw.bits("slots"));
    std::size_t const count = slots.size() * static_cast<std::size_t>(shape.kv_heads * shape.head_dim);
    for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
      for (auto const k_dtype : {DType::f32, DType::bf16, DType::f16}) {
        for (auto const v_dtype : {DType::f32, DType::bf16, DType::f16}) {
          shape.storage = storage;
          KvFixture fixture(shape, 0x7F);
          Source const k = source_of(k_dtype, count, 11, tally);
          Source const v = source_of(v_dtype, count, 12, tally);
          subject.store({k.data.data(), k_dtype}, {v.data.data(), v_dtype}, slots, fixture.layer);
          tally.count("dtype pairs");
          check_side(fixture, false, k, slots, tally);
          check_side(fixture, true, v, slots, tally);
        }
      }
    }
  });
}

}  // namespace redproof::properties
