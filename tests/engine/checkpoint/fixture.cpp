#include "tests/engine/checkpoint/fixture.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "engine/types/error.h"

namespace redproof::tests {
namespace {

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool is_one_line(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "redproof-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
  std::filesystem::create_directories((path_ / name).parent_path());
  std::ofstream stream(path_ / name, std::ios::binary);
  stream << bytes;
  if (!stream.flush()) throw std::runtime_error("cannot write " + name);
}

std::string f32_bytes(const std::vector<float>& values) {
  std::string bytes;
  for (float const value : values) bytes += little_endian(bits_of(value), 4);
  return bytes;
}

std::string bf16_bytes(const std::vector<float>& values) {
  std::string bytes;
  for (float const value : values) bytes += little_endian(bits_of(value) >> 16, 2);
  return bytes;
}

std::string u16_bytes(const std::vector<std::uint16_t>& bits) {
  std::string bytes;
  for (std::uint16_t const value : bits) bytes += little_endian(value, 2);
  return bytes;
}

RawTensor f32_scalar(const std::string& name, float value) { return {name, "F32", {}, f32_bytes({value})}; }

std::string with_header(const std::string& header, const std::string& data) { return little_endian(header.size(), 8) + header + data; }

std::string safetensors(const std::vector<RawTensor>& tensors) {
  std::string header = "{\"__metadata__\":{\"format\":\"pt\"}";
  std::string data;
  for (const RawTensor& tensor : tensors) {
    std::size_t const begin = data.size();
    data += tensor.bytes;
    header += fmt::format(",\"{}\":{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", tensor.name, tensor.dtype,
                          fmt::join(tensor.shape, ","), begin, data.size());
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return with_header(header, data);
}

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const engine::Refusal& refusal) {
    std::string const message = refusal.what();
    return is_one_line(message) ? message : "not one line: " + message;
  }
  return "nothing was refused";
}

}  // namespace redproof::tests
