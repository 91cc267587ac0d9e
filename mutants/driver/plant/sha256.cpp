#include "mutants/driver/plant/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <iterator>

#include "gates/runner/refusal.h"

namespace redproof::mutants {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += digits[digest[i] >> 4];
    text += digits[digest[i] & 15];
  }
  return text;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path)) throw gates::Refusal(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string sha256_of_file(const std::filesystem::path& path) { return sha256(read_file(path)); }

}  // namespace redproof::mutants
