#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace redproof::tests {

// One text and what the Python package makes of it.
struct ParityCase {
  std::string text;
  std::vector<std::int32_t> ids;
  bool decodes = false;  // the rest is there
  std::vector<std::int32_t> ids_with_special;
  std::string half;     // the first half of ids, decoded
  std::string decoded;  // ids_with_special, decoded
  std::string decoded_without_special;
};

struct ParityTokenizer {
  std::string name;
  std::filesystem::path file;
  std::int64_t vocab_size = 0;
  std::vector<ParityCase> cases;
};

std::vector<ParityTokenizer> read_parity_truth(const std::filesystem::path& file);

}  // namespace redproof::tests
