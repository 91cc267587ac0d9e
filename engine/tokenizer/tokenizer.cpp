#include "engine/tokenizer/tokenizer.h"

#include <fmt/format.h>

#include "engine/tokenizer/machine.h"
#include "engine/tokenizer/utf8.h"
#include "engine/types/error.h"

namespace redproof::engine {

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

std::vector<std::int32_t> Tokenizer::encode(std::string_view text, bool add_special_tokens) const {
  std::size_t const invalid = text::first_invalid_byte(text);
  if (invalid != std::string_view::npos) throw Refusal(fmt::format("text: byte {} is not UTF-8", invalid));
  std::vector<std::int32_t> ids;
  auto const append = [&](const std::vector<std::int32_t>& more) { ids.insert(ids.end(), more.begin(), more.end()); };
  if (add_special_tokens) append(impl_->special_ids.in_front);
  for (text::Segment const& segment : impl_->raw_tokens.segments(text)) {
    segment.id >= 0 ? ids.push_back(segment.id) : impl_->encode_normalized(segment.text, ids);
  }
  if (add_special_tokens) append(impl_->special_ids.behind);
  return ids;
}

void Tokenizer::Impl::encode_normalized(std::string_view text, std::vector<std::int32_t>& ids) const {
  std::string const normalized = text::normalize(text, normalization);
  for (text::Segment const& segment : normalized_tokens.segments(normalized)) {
    if (segment.id >= 0) {
      ids.push_back(segment.id);
    } else {
      pre_tokenizer.for_each_word(segment.text, [&](std::string_view word) { text::bpe_encode(bpe, word, ids); });
    }
  }
}

// An id that the tokenizer does not know decodes to nothing: a model's vocabulary may be padded past the tokenizer's.
std::string Tokenizer::decode(const std::vector<std::int32_t>& ids, bool skip_special_tokens) const {
  std::string bytes;
  for (std::int32_t const id : ids) {
    auto const token = impl_->tokens.find(id);
    if (token == impl_->tokens.end() || (token->second.special && skip_special_tokens)) continue;
    bytes += token->second.bytes;
  }
  return text::utf8_with_replacements(bytes);
}

std::int64_t Tokenizer::vocab_size() const { return static_cast<std::int64_t>(impl_->tokens.size()); }

}  // namespace redproof::engine
