// Checkpoint directories written byte by byte, and refusals caught.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace redproof::tests {

// A fresh folder below the system's temporary one, removed with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& bytes) const;

 private:
  std::filesystem::path path_;
};

struct RawTensor {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::string bytes;
};

std::string f32_bytes(const std::vector<float>& values);
std::string bf16_bytes(const std::vector<float>& values);       // cut off, not rounded
std::string u16_bytes(const std::vector<std::uint16_t>& bits);  // little-endian
RawTensor f32_scalar(const std::string& name, float value);

inline bool starts(const std::string& text, const std::string& with) { return text.starts_with(with); }

// A safetensors file: the length of the header, the header, the data.
std::string with_header(const std::string& header, const std::string& data);
// An honest one, its header padded with blanks to a multiple of 8 bytes.
std::string safetensors(const std::vector<RawTensor>& tensors);

// The message of the Refusal that `act` throws, or "nothing was refused". Two lines or a control character in it: "not one line: ...".
std::string refusal_of(const std::function<void()>& act);

}  // namespace redproof::tests
