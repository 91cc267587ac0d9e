#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/tokenizer/parts.h"
#include "engine/tokenizer/tokenizer.h"

namespace redproof::engine {

struct DecodedToken {
  std::string bytes;  // need not be UTF-8 alone
  bool special;
};

struct Tokenizer::Impl {
  text::BpeModel bpe;
  text::PreTokenizer pre_tokenizer;
  text::Normalization normalization;
  text::AddedTokenFinder raw_tokens;         // looked for in the text as it came
  text::AddedTokenFinder normalized_tokens;  // and in the normalized rest
  text::SpecialIds special_ids;
  std::unordered_map<std::int32_t, DecodedToken> tokens;  // by id

  void encode_normalized(std::string_view text, std::vector<std::int32_t>& ids) const;
};

}  // namespace redproof::engine
