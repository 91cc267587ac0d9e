#include "mutants/driver/plant/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <iterator>

#include "gates/runner/refusal.h"

namespace redproof::mutants {
namespace {

void blank_process_numbers(std::string& bytes) {
  constexpr std::string_view prefix = "tmpxft_";
  constexpr std::size_t digits = 8;
  for (auto at = bytes.find(prefix); at != std::string::npos; at = bytes.find(prefix, at + 1)) {
    std::size_t const first = at + prefix.size();
    auto const end = bytes.find_first_not_of("0123456789abcdef", first);
    if (end == first + digits && bytes[end] == '_') bytes.replace(first, digits, digits, '0');
  }
}

}  // namespace

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

std::string sha256_of_program(const std::filesystem::path& path) {
  std::string bytes = read_file(path);
  blank_process_numbers(bytes);
  return sha256(bytes);
}

}  // namespace redproof::mutants
