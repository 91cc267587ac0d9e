#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/tokenizer/added_tokens.h"
#include "engine/tokenizer/bpe.h"
#include "engine/tokenizer/field.h"
#include "engine/tokenizer/normalizer.h"
#include "engine/tokenizer/pre_tokenizer.h"

namespace redproof::engine::text {

// The sections of tokenizer.json, each read by one function; all throw Refusal.

using Vocabulary = std::unordered_map<std::string, std::int32_t>;  // entry as spelled in the file -> id

struct SpecialIds {
  std::vector<std::int32_t> in_front, behind;
};

Vocabulary read_vocabulary(const Field& model);
BpeModel read_bpe(const Field& model, const Vocabulary& vocabulary);
Normalization read_normalizer(const Field& document);
PreTokenizer read_pre_tokenizer(const Field& document);
std::vector<AddedToken> read_added_tokens(const Field& document, const Vocabulary& vocabulary);
SpecialIds read_post_processor(const Field& document);
void check_decoder(const Field& document);

}  // namespace redproof::engine::text
