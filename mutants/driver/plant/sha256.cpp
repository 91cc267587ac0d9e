#include "mutants/driver/plant/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <iterator>
#include <memory>

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

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }

  std::string text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &length);
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
      text += digits[digest[i] >> 4];
      text += digits[digest[i] & 15];
    }
    return text;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

std::ifstream open_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path)) throw gates::Refusal(path.string() + ": cannot be read");
  return stream;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.text();
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream = open_file(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// In blocks: some are weights of models.
std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream stream = open_file(path);
  std::string block(1 << 20, '\0');
  Sha256 hash;
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0)
    hash.add({block.data(), static_cast<std::size_t>(stream.gcount())});
  return hash.text();
}

std::string sha256_of_program(const std::filesystem::path& path) {
  std::string bytes = read_file(path);
  blank_process_numbers(bytes);
  return sha256(bytes);
}

}  // namespace redproof::mutants
