#include "engine/checkpoint/safetensors_header.h"

#include <random>
#include <span>
#include <string>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {
namespace {

std::vector<engine::HeaderTensor> header_of(const std::string& bytes) {
  return engine::read_safetensors_header(std::as_bytes(std::span(bytes.data(), bytes.size())), "a.safetensors");
}

std::string mutated(std::string bytes, std::mt19937& draw) {
  for (std::uint32_t changes = 1 + draw() % 3; changes > 0; --changes) bytes[draw() % bytes.size()] = static_cast<char>(draw() % 256);
  if (draw() % 5 == 0) bytes.resize(draw() % bytes.size());
  bytes.shrink_to_fit();  // so that AddressSanitizer sees a byte read past the end
  return bytes;
}

}  // namespace

TEST_CASE("tensors are given in the order of the file, by places in it", "[safetensors]") {
  std::string const bytes = safetensors({f32_scalar("z", 1), {"a", "BF16", {2, 1}, bf16_bytes({1, 2})}});
  auto const tensors = header_of(bytes);
  REQUIRE(tensors.size() == 2);
  CHECK(tensors[0].name == "z");
  CHECK(tensors[1].name == "a");
  CHECK(tensors[1].dtype == "BF16");
  CHECK(tensors[1].shape == std::vector<std::int64_t>{2, 1});
  CHECK(tensors[0].begin == bytes.size() - 8);
  CHECK(tensors[1].begin == bytes.size() - 4);
  CHECK(tensors[1].end == bytes.size());
}

TEST_CASE("four elements of each dtype of the format take as many bytes as the format says, and no byte more or less", "[safetensors]") {
  struct Case {
    const char* dtype;
    std::size_t bytes;
  };
  for (const Case& c :
       {Case{"F4", 2},      Case{"F6_E2M3", 3}, Case{"F6_E3M2", 3}, Case{"BOOL", 4},        Case{"U8", 4},          Case{"I8", 4},
        Case{"F8_E5M2", 4}, Case{"F8_E4M3", 4}, Case{"F8_E8M0", 4}, Case{"F8_E4M3FNUZ", 4}, Case{"F8_E5M2FNUZ", 4}, Case{"U16", 8},
        Case{"I16", 8},     Case{"F16", 8},     Case{"BF16", 8},    Case{"U32", 16},        Case{"I32", 16},        Case{"F32", 16},
        Case{"U64", 32},    Case{"I64", 32},    Case{"F64", 32},    Case{"C64", 32}}) {
    const auto reading = [&](std::size_t bytes) {
      return refusal_of([&] { header_of(safetensors({{"w", c.dtype, {4}, std::string(bytes, 'w')}})); });
    };
    CAPTURE(c.dtype);
    CHECK(reading(c.bytes) == "nothing was refused");
    for (const std::size_t wrong : {c.bytes - 1, c.bytes + 1, 2 * c.bytes}) {
      CHECK_THAT(reading(wrong), ContainsSubstring(std::string("tensor w: shape [4] of ") + c.dtype + " is not its"));
    }
  }
}

TEST_CASE("elements that fill no whole byte are refused, as many bytes as they touch or fill", "[safetensors]") {
  for (const char* const dtype : {"F4", "F6_E2M3", "F6_E3M2"}) {
    for (const std::size_t bytes : {1U, 2U, 3U}) {
      CAPTURE(dtype, bytes);
      CHECK_THAT(refusal_of([&] { header_of(safetensors({{"w", dtype, {3}, std::string(bytes, 'w')}})); }),
                 ContainsSubstring(std::string("tensor w: shape [3] of ") + dtype + " is not its"));
    }
  }
}

TEST_CASE("16 dimensions are read and 17 refused", "[safetensors]") {
  std::vector<std::int64_t> shape(16, 1);
  shape[3] = 2;
  CHECK(header_of(safetensors({{"w", "F16", shape, std::string(4, 'w')}}))[0].shape == shape);
  shape.push_back(1);
  CHECK(refusal_of([&] { header_of(safetensors({{"w", "F16", shape, std::string(4, 'w')}})); }) ==
        "a.safetensors: tensor w: shape: more than 16 dimensions");
}

TEST_CASE("whatever bytes a file holds, it is read within its bounds or refused on one line", "[safetensors]") {
  std::string const honest = safetensors({{"w", "F32", {2, 3}, std::string(24, 'w')}, {"b", "BF16", {5}, std::string(10, 'b')}});
  std::mt19937 draw(1);
  int accepted = 0;
  int turned_away = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::string const bytes = mutated(honest, draw);
    std::string const message = refusal_of([&] {
      for (auto const& tensor : header_of(bytes)) {
        REQUIRE(tensor.begin <= tensor.end);
        REQUIRE(tensor.end <= bytes.size());
      }
    });
    REQUIRE(message.find("not one line") == std::string::npos);
    ++(message == "nothing was refused" ? accepted : turned_away);
  }
  CHECK(accepted > 200);
  CHECK(turned_away > 2000);
}

}  // namespace redproof::tests
