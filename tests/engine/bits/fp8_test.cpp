#include "engine/bits/fp8.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "engine/bits/bf16.h"
#include "tests/catch.h"
#include "tests/engine/bits/e4m3_truth.h"

using namespace redproof::engine;

namespace {

using Encoder = void (*)(const float*, std::int64_t, std::uint8_t*);
using Storer = void (*)(const std::uint16_t*, float, std::int64_t, std::uint8_t*);
using Decoder = void (*)(const std::uint8_t*, std::int64_t, float*);

// Bit patterns [first, end) of float32 that must all become `code`.
struct Run {
  std::uint64_t first;
  std::uint64_t end;
  std::uint8_t code;
};

// A correctly rounding encoder is monotone, so that the midpoints of the format cut the 2^32 inputs into 257 runs.
std::vector<Run> runs_of_all_inputs() {
  std::vector<Run> runs;
  for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{1} << 31}) {
    const auto signed_code = [&](int code) { return static_cast<std::uint8_t>(code | (sign ? 0x80 : 0)); };
    std::uint64_t first = sign;
    for (int code = 0; code < 0x7E; ++code) {
      const auto midpoint = std::bit_cast<std::uint32_t>(static_cast<float>(truth::midpoint_above(code)));  // exact in float32
      const std::uint64_t end = sign + midpoint + (code % 2 == 0 ? 1 : 0);                                  // a tie goes to the even code
      runs.push_back({first, end, signed_code(code)});
      first = end;
    }
    runs.push_back({first, sign + 0x7F800001, signed_code(0x7E)});  // up to infinity
    runs.push_back({sign + 0x7F800001, sign + 0x80000000, 0x7F});   // NaN
  }
  return runs;
}

// Counts the inputs of [first, end) whose byte is not the run's.
std::uint64_t wrong_in(Encoder encode, std::uint64_t first, std::uint64_t end) {
  constexpr std::uint64_t piece = 1 << 14;
  std::vector<float> inputs(piece);
  std::vector<std::uint8_t> bytes(piece);
  std::uint64_t wrong = 0;
  for (const Run& run : runs_of_all_inputs()) {
    const std::uint64_t last = std::min(run.end, end);
    for (std::uint64_t at = std::max(run.first, first); at < last; at += piece) {
      const std::uint64_t count = std::min(piece, last - at);
      for (std::uint64_t i = 0; i < count; ++i) inputs[i] = std::bit_cast<float>(static_cast<std::uint32_t>(at + i));
      encode(inputs.data(), static_cast<std::int64_t>(count), bytes.data());
      wrong += count - static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count), run.code));
    }
  }
  return wrong;
}

std::uint64_t wrong_in_all_inputs(Encoder encode) {
  std::uint64_t wrong[2] = {};
  std::thread upper([&] { wrong[1] = wrong_in(encode, std::uint64_t{1} << 31, std::uint64_t{1} << 32); });
  wrong[0] = wrong_in(encode, 0, std::uint64_t{1} << 31);
  upper.join();
  return wrong[0] + wrong[1];
}

std::vector<std::uint16_t> all_bf16() {
  std::vector<std::uint16_t> codes(65536);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i);
  return codes;
}

std::uint64_t wrong_stores(Storer store, float scale) {
  const std::vector<std::uint16_t> codes = all_bf16();
  std::vector<std::uint8_t> bytes(codes.size());
  store(codes.data(), scale, 65536, bytes.data());
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(codes[i]) << 16);
    wrong += bytes[i] != truth::nearest(x / scale);
  }
  return wrong;
}

}  // namespace

TEST_CASE("the runs of the truth tile all 2^32 inputs", "[fp8]") {
  std::uint64_t next = 0;
  for (const Run& run : runs_of_all_inputs()) {
    REQUIRE(run.first == next);
    REQUIRE(run.end > run.first);
    next = run.end;
  }
  CHECK(next == std::uint64_t{1} << 32);
}

TEST_CASE("the scalar encoder gives the nearest code for all 2^32 inputs", "[fp8]") { CHECK(wrong_in_all_inputs(encode_e4m3_scalar) == 0); }

TEST_CASE("the AVX2 encoder gives the nearest code for all 2^32 inputs", "[fp8]") {
  if (!cpu_has_avx2()) {
    WARN("no AVX2 on this machine");
    CHECK_THROWS(require_isa(CpuIsa::avx2));
    return;
  }
  CHECK(wrong_in_all_inputs(encode_e4m3_avx2) == 0);
}

TEST_CASE("the encoder at the corners of the format", "[fp8]") {
  CHECK(f32_to_e4m3(0.0F) == 0x00);
  CHECK(f32_to_e4m3(-0.0F) == 0x80);
  CHECK(f32_to_e4m3(0x1p-10F) == 0x00);
  CHECK(f32_to_e4m3(std::nextafterf(0x1p-10F, 1)) == 0x01);
  CHECK(f32_to_e4m3(0x1.8p-9F) == 0x02);
  CHECK(f32_to_e4m3(0x1.Fp-7F) == 0x08);  // a subnormal that carries into the first normal
  CHECK(f32_to_e4m3(464.0F) == 0x7E);
  CHECK(f32_to_e4m3(std::nextafterf(464.0F, 1000)) == 0x7E);
  CHECK(f32_to_e4m3(-INFINITY) == 0xFE);
  CHECK(f32_to_e4m3(std::bit_cast<float>(0xFFC00000U)) == 0x7F);
  CHECK(f32_to_e4m3(std::bit_cast<float>(0x00000001U)) == 0x00);
  CHECK(f32_to_e4m3(std::bit_cast<float>(0x807FFFFFU)) == 0x80);
}

TEST_CASE("decoding gives the value of each of the 256 codes, in both instruction sets and at any length", "[fp8]") {
  std::vector<std::uint8_t> codes(256);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i);
  for (const Decoder decode : {decode_e4m3_scalar, decode_e4m3_avx2}) {
    if (decode == decode_e4m3_avx2 && !cpu_has_avx2()) continue;
    for (const std::int64_t count : {256, 255, 9, 8, 7, 1, 0}) {
      std::vector<float> values(257, 123.0F);
      decode(codes.data(), count, values.data());
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        const auto code = static_cast<std::uint8_t>(i);
        const float value = static_cast<float>(truth::value_of(code));
        const std::uint32_t nan = code & 0x80 ? 0xFFC00000U : 0x7FC00000U;
        const std::uint32_t bits = std::isnan(value) ? nan : std::bit_cast<std::uint32_t>(value);
        wrong += std::bit_cast<std::uint32_t>(values[static_cast<std::size_t>(i)]) != bits;
      }
      CHECK(wrong == 0);
      CHECK(values[static_cast<std::size_t>(count)] == 123.0F);
    }
  }
}

TEST_CASE("storing divides every bfloat16 code by the scale and rounds once", "[fp8]") {
  for (const float scale : {1.0F, 0.125F, 16.0F, 0.06F, 0.35F, 1.0F / 3.0F, 3.7e-5F, 0x1p-130F, 2.5e30F}) {
    CAPTURE(scale);
    CHECK(wrong_stores(store_e4m3_scalar, scale) == 0);
    if (cpu_has_avx2()) CHECK(wrong_stores(store_e4m3_avx2, scale) == 0);
  }
}

TEST_CASE("a scale of 0.06 separates the division from the product with the reciprocal", "[fp8]") {
  std::int64_t differ = 0;
  for (const std::uint16_t code : all_bf16()) {
    const float x = bf16_to_f32(code);
    differ += truth::nearest(x / 0.06F) != truth::nearest(x * (1.0F / 0.06F));
  }
  CHECK(differ > 0);
}

TEST_CASE("array stores write exactly the bytes asked for, at every length around the vector width", "[fp8]") {
  const std::vector<std::uint16_t> codes = all_bf16();
  for (const Storer store : {store_e4m3_scalar, store_e4m3_avx2}) {
    if (store == store_e4m3_avx2 && !cpu_has_avx2()) continue;
    for (std::int64_t count = 0; count <= 33; ++count) {
      std::vector<std::uint8_t> bytes(34, 0xAA);
      store(codes.data() + 0x3F81, 0.35F, count, bytes.data());
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < 34; ++i) {
        const std::uint8_t truth = i < count ? truth::nearest(bf16_to_f32(codes[static_cast<std::size_t>(0x3F81 + i)]) / 0.35F) : 0xAA;
        wrong += bytes[static_cast<std::size_t>(i)] != truth;
      }
      CHECK(wrong == 0);
    }
  }
}
