#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/tokenizer/byte_level.h"
#include "engine/tokenizer/machine.h"

namespace redproof::engine {
namespace {

std::string decoded_bytes(const std::string& entry) { return text::spelled_bytes(entry).value_or(entry); }

std::unordered_map<std::int32_t, DecodedToken> decoded_tokens(const text::Vocabulary& vocabulary,
                                                              const std::vector<text::AddedToken>& added) {
  std::unordered_map<std::int32_t, DecodedToken> tokens;
  tokens.reserve(vocabulary.size() + added.size());
  for (auto const& [entry, id] : vocabulary) tokens[id] = {decoded_bytes(entry), false};
  for (text::AddedToken const& token : added) tokens[token.id] = {decoded_bytes(token.content), token.special};
  return tokens;
}

std::vector<text::AddedToken> tokens_to_find(const std::vector<text::AddedToken>& all, bool normalized, text::Normalization form) {
  std::vector<text::AddedToken> tokens;
  for (text::AddedToken token : all) {
    if (token.normalized != normalized) continue;
    if (normalized) token.content = text::normalize(token.content, form);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

void refuse_other_sections(const text::Field& document) {
  document.allow_only(
      {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model"});
  for (std::string_view const key : {"truncation", "padding"}) {
    if (auto const section = document.find(key)) section->refuse("is not supported");
  }
}

void check_special_ids(const text::Field& document, const std::vector<std::int32_t>& ids,
                       const std::unordered_map<std::int32_t, DecodedToken>& tokens) {
  for (std::int32_t const id : ids) {
    if (!tokens.contains(id)) document.at("post_processor").refuse(fmt::format("id {} is no token's", id));
  }
}

}  // namespace

Tokenizer Tokenizer::load(const std::filesystem::path& file) {
  nlohmann::json const value = text::read_document(file);
  text::Field const document(value, file.string());
  refuse_other_sections(document);
  text::Field const model = document.at("model");
  text::Vocabulary const vocabulary = text::read_vocabulary(model);
  std::vector<text::AddedToken> const added = text::read_added_tokens(document, vocabulary);
  text::Normalization const form = text::read_normalizer(document);
  text::check_decoder(document);
  auto impl = std::make_unique<Impl>(Impl{text::read_bpe(model, vocabulary), text::read_pre_tokenizer(document), form,
                                          text::AddedTokenFinder(tokens_to_find(added, false, form)),
                                          text::AddedTokenFinder(tokens_to_find(added, true, form)), text::read_post_processor(document),
                                          decoded_tokens(vocabulary, added)});
  check_special_ids(document, impl->special_ids.in_front, impl->tokens);
  check_special_ids(document, impl->special_ids.behind, impl->tokens);
  return Tokenizer(std::move(impl));
}

}  // namespace redproof::engine
