#include "engine/checkpoint/safetensors_header.h"

#include <random>
#include <span>
#include <string>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {
namespace {

std::vector<engine::HeaderTensor> read(const std::string& bytes) {
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
  auto const tensors = read(bytes);
  REQUIRE(tensors.size() == 2);
  CHECK(tensors[0].name == "z");
  CHECK(tensors[1].name == "a");
  CHECK(tensors[1].dtype == "BF16");
  CHECK(tensors[1].shape == std::vector<std::int64_t>{2, 1});
  CHECK(tensors[0].begin == bytes.size() - 8);
  CHECK(tensors[1].begin == bytes.size() - 4);
  CHECK(tensors[1].end == bytes.size());
}

TEST_CASE("whatever bytes a file holds, it is read within its bounds or refused on one line", "[safetensors]") {
  std::string const honest = safetensors({{"w", "F32", {2, 3}, std::string(24, 'w')}, {"b", "BF16", {5}, std::string(10, 'b')}});
  std::mt19937 draw(1);
  int accepted = 0;
  int turned_away = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::string const bytes = mutated(honest, draw);
    std::string const message = refusal_of([&] {
      for (auto const& tensor : read(bytes)) {
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
