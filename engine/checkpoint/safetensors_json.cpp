#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/checkpoint/json_document.h"
#include "engine/checkpoint/printable.h"
#include "engine/checkpoint/safetensors_header.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

using nlohmann::json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t most_dimensions = 16;

[[noreturn]] void refuse(const std::string& file, const std::string& why) { throw Refusal(fmt::format("{}: {}", printable(file), why)); }

[[noreturn]] void refuse(const std::string& file, const std::string& tensor, const std::string& why) {
  throw Refusal(fmt::format("{}: tensor {}: {}", printable(file), printable(tensor), why));
}

struct ElementBits {
  const char* dtype;
  std::int64_t bits;
};

// Every dtype of the format, so that a file's ranges can be checked even where nobody can use the tensor.
constexpr std::array<ElementBits, 22> element_bits{{
    {"BOOL", 8}, {"U8", 8},   {"I8", 8},      {"F8_E5M2", 8}, {"F8_E4M3", 8},     {"F8_E8M0", 8},     {"F4", 4},   {"U16", 16},
    {"I16", 16}, {"F16", 16}, {"BF16", 16},   {"U32", 32},    {"I32", 32},        {"F32", 32},        {"U64", 64}, {"I64", 64},
    {"F64", 64}, {"C64", 64}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8},
}};

std::int64_t bits_of(const std::string& file, const std::string& tensor, const std::string& dtype) {
  for (const ElementBits& known : element_bits) {
    if (dtype == known.dtype) return known.bits;
  }
  refuse(file, tensor, fmt::format("unknown dtype \"{}\"", printable(dtype)));
}

std::int64_t unsigned_integer(const std::string& file, const std::string& tensor, const char* field, const json& value) {
  bool const fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
  if (!fits) refuse(file, tensor, fmt::format("{}: {} is no size", field, brief(value)));
  return value.get<std::int64_t>();
}

std::vector<std::int64_t> unsigned_integers(const std::string& file, const std::string& tensor, const char* field, const json& entry) {
  auto const found = entry.find(field);
  if (found == entry.end() || !found->is_array()) refuse(file, tensor, fmt::format("{}: missing, or not a list", field));
  std::vector<std::int64_t> values;
  for (const json& value : *found) values.push_back(unsigned_integer(file, tensor, field, value));
  return values;
}

// Bytes of a tensor; none on overflow, or where its bits do not fill whole bytes.
std::optional<std::int64_t> tensor_bytes(const std::vector<std::int64_t>& shape, std::int64_t bits) {
  std::int64_t total = bits;
  for (std::int64_t const extent : shape) {
    if (__builtin_mul_overflow(total, extent, &total)) return std::nullopt;
  }
  return total % 8 == 0 ? std::optional(total / 8) : std::nullopt;
}

HeaderTensor read_tensor(const std::string& file, const std::string& name, const json& entry, std::size_t data_begin,
                         std::size_t data_size) {
  if (!entry.is_object()) refuse(file, name, brief(entry) + " is not an object");
  auto const dtype = entry.find("dtype");
  if (dtype == entry.end() || !dtype->is_string()) refuse(file, name, "dtype: missing, or not a string");
  std::int64_t const bits = bits_of(file, name, dtype->get<std::string>());
  auto const shape = unsigned_integers(file, name, "shape", entry);
  if (shape.size() > most_dimensions) refuse(file, name, fmt::format("shape: more than {} dimensions", most_dimensions));
  auto const offsets = unsigned_integers(file, name, "data_offsets", entry);
  if (offsets.size() != 2 || offsets[0] > offsets[1]) refuse(file, name, "data_offsets: not a begin and an end after it");
  if (static_cast<std::size_t>(offsets[1]) > data_size) {
    refuse(file, name, fmt::format("data_offsets: end {} is past the {} bytes of data", offsets[1], data_size));
  }
  auto const bytes = tensor_bytes(shape, bits);
  if (bytes != offsets[1] - offsets[0]) {
    refuse(file, name,
           fmt::format("shape {} of {} is not its {} bytes", brief(entry["shape"]), printable(dtype->get<std::string>()),
                       offsets[1] - offsets[0]));
  }
  return {name, dtype->get<std::string>(), shape, data_begin + static_cast<std::size_t>(offsets[0]),
          data_begin + static_cast<std::size_t>(offsets[1])};
}

// The tensors must tile the data: neither two in one place nor bytes that belong to none.
void check_tiling(const std::string& file, std::vector<HeaderTensor>& tensors, std::size_t data_begin, std::size_t file_size) {
  auto const before = [](const HeaderTensor& a, const HeaderTensor& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; };
  std::sort(tensors.begin(), tensors.end(), before);
  std::size_t covered = data_begin;
  for (const HeaderTensor& tensor : tensors) {
    if (tensor.begin < covered) refuse(file, tensor.name, "data_offsets: overlaps the tensor before it");
    if (tensor.begin > covered) refuse(file, tensor.name, fmt::format("data_offsets: a gap of {} bytes before it", tensor.begin - covered));
    covered = tensor.end;
  }
  if (covered != file_size) refuse(file, fmt::format("{} bytes after the last tensor", file_size - covered));
}

std::uint64_t little_endian(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = length_bytes; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

std::string_view header_text(std::span<const std::byte> bytes, const std::string& file) {
  if (bytes.size() < length_bytes) refuse(file, "header: shorter than its length field");
  std::uint64_t const length = little_endian(bytes);
  if (length > json_limit_bytes) refuse(file, fmt::format("header: length {} is over {} bytes", length, json_limit_bytes));
  if (length > bytes.size() - length_bytes) {
    refuse(file, fmt::format("header: length {} is past the end of a file of {} bytes", length, bytes.size()));
  }
  return {reinterpret_cast<const char*>(bytes.data()) + length_bytes, static_cast<std::size_t>(length)};
}

void check_metadata(const std::string& file, const json& metadata) {
  if (!metadata.is_object()) refuse(file, "header: __metadata__: not an object");
  for (const json& value : metadata) {
    if (!value.is_string()) refuse(file, fmt::format("header: __metadata__: {} is not a string", brief(value)));
  }
}

}  // namespace

std::vector<HeaderTensor> read_safetensors_header(std::span<const std::byte> bytes, const std::string& file) {
  std::string_view const text = header_text(bytes, file);
  json const header = parse_json(text, file + ": header");
  if (!header.is_object()) refuse(file, "header: not an object");
  std::size_t const data_begin = length_bytes + text.size();
  std::vector<HeaderTensor> tensors;
  for (auto const& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      check_metadata(file, entry);
    } else {
      tensors.push_back(read_tensor(file, name, entry, data_begin, bytes.size() - data_begin));
    }
  }
  check_tiling(file, tensors, data_begin, bytes.size());
  return tensors;
}

std::map<std::string, std::string> read_safetensors_index(const std::string& file) {
  json const document = read_json_file(file);
  JsonFields const fields(document, file);
  const json& weight_map = fields.value("weight_map");
  if (!weight_map.is_object()) refuse(file, "weight_map: missing, or not an object");
  std::map<std::string, std::string> shards;
  for (auto const& [tensor, shard] : weight_map.items()) {
    if (!shard.is_string()) refuse(file, fmt::format("weight_map: {}: {} is not a string", printable(tensor), brief(shard)));
    shards.emplace(tensor, shard.get<std::string>());
  }
  return shards;
}

}  // namespace redproof::engine
