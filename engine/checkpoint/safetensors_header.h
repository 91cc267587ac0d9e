#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace redproof::engine {

// One tensor as its file's header describes it, checked against the file.
struct HeaderTensor {
  std::string name;
  std::string dtype;  // as written: "BF16", "F8_E4M3", ...
  std::vector<std::int64_t> shape;
  std::size_t begin;  // first byte, from the start of the file
  std::size_t end;    // one past the last
};

// The header of one safetensors file: 8 bytes of length (little-endian), that many bytes of JSON, the data. Refusal, naming file and
// tensor: a length over 64 MiB or past the end, an unknown dtype, shape x dtype that is not the number of bytes, a range outside the file,
// an overlap, a gap, a name twice.
std::vector<HeaderTensor> read_safetensors_header(std::span<const std::byte> bytes, const std::string& file);

// The weight_map of model.safetensors.index.json: tensor -> shard, as written. Refusal: a field of another type.
std::map<std::string, std::string> read_safetensors_index(const std::string& file);

}  // namespace redproof::engine
