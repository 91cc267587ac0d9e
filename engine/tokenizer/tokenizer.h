#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redproof::engine {

// Byte-level BPE from a Hugging Face tokenizer.json. Ids equal those of the Python package `tokenizers`.
class Tokenizer {
 public:
  static Tokenizer load(const std::filesystem::path& file);  // Refusal names file and field
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // Refusal on text that is not UTF-8. add_special_tokens: what the post-processor adds (a beginning-of-text token).
  std::vector<std::int32_t> encode(std::string_view text, bool add_special_tokens) const;
  std::string decode(const std::vector<std::int32_t>& ids, bool skip_special_tokens) const;
  std::int64_t vocab_size() const;

 private:
  struct Impl;
  explicit Tokenizer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace redproof::engine
