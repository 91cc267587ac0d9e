#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/tokenizer/dialect.h"
#include "engine/tokenizer/parts.h"
#include "engine/tokenizer/utf8.h"

namespace redproof::engine::text {
namespace {

[[noreturn]] void refuse_type(const Field& step) {
  step.at("type").refuse(fmt::format("\"{}\" is not supported", printable(step.at("type").text())));
}

SplitBehavior read_behavior(const Field& behavior) {
  std::string const& name = behavior.text();
  if (name == "Removed") return SplitBehavior::removed;
  if (name == "Isolated") return SplitBehavior::isolated;
  if (name == "MergedWithPrevious") return SplitBehavior::merged_with_previous;
  if (name == "MergedWithNext") return SplitBehavior::merged_with_next;
  if (name == "Contiguous") return SplitBehavior::contiguous;
  behavior.refuse(fmt::format("\"{}\" is not supported", printable(name)));
}

Pattern read_pattern(const Field& pattern) {
  pattern.allow_only({"Regex", "String"});
  auto const literal = pattern.find("String");
  Field const source = literal ? *literal : pattern.at("Regex");
  if (source.text().empty()) source.refuse("is empty");
  try {
    if (literal) return {source.text(), PatternSyntax::literal};
    return {pcre2_pattern(source.text()), PatternSyntax::pcre2};
  } catch (const PatternError& error) {
    source.refuse(error.what());
  }
}

Split read_split(const Field& step) {
  step.allow_only({"type", "pattern", "behavior", "invert"});
  return {read_pattern(step.at("pattern")), read_behavior(step.at("behavior")), step.flag_or("invert", false)};
}

void read_byte_level(const Field& step, PreTokenizer& pre_tokenizer) {
  step.allow_only({"type", "add_prefix_space", "trim_offsets", "use_regex"});
  pre_tokenizer.add_prefix_space = step.at("add_prefix_space").flag();
  if (step.flag_or("use_regex", true)) pre_tokenizer.byte_level_splits.push_back(gpt2_split());
}

// The steps of a section, with any Sequence flattened; list_key names the Sequence's own array.
std::vector<Field> steps_of(const Field& section, std::string_view list_key) {
  if (section.at("type").text() != "Sequence") return {section};
  section.allow_only({"type", list_key});
  Field const list = section.at(list_key);
  std::vector<Field> steps;
  for (std::size_t position = 0; position < list.elements(); ++position) {
    std::vector<Field> const inner = steps_of(list.element(position), list_key);
    steps.insert(steps.end(), inner.begin(), inner.end());
  }
  return steps;
}

std::int32_t id_after(const Vocabulary& vocabulary, const std::vector<AddedToken>& tokens) {
  auto next = static_cast<std::int32_t>(vocabulary.size());
  for (AddedToken const& token : tokens) next = std::max(next, token.id + 1);
  return next;
}

AddedToken read_added_token(const Field& entry) {
  entry.allow_only({"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
  AddedToken token;
  token.id = entry.at("id").index();
  token.content = entry.at("content").text();
  token.special = entry.at("special").flag();
  token.normalized = entry.at("normalized").flag();
  token.left_strip = entry.at("lstrip").flag();
  token.right_strip = entry.at("rstrip").flag();
  token.single_word = entry.at("single_word").flag();
  if (token.content.empty()) entry.at("content").refuse("is empty");
  return token;
}

std::vector<std::int32_t> read_special_ids(const Field& template_step, const std::string& name) {
  std::vector<std::int32_t> ids;
  Field const list = template_step.at("special_tokens").at(name).at("ids");
  for (std::size_t position = 0; position < list.elements(); ++position) ids.push_back(list.element(position).index());
  return ids;
}

SpecialIds read_template(const Field& step) {
  step.allow_only({"type", "single", "pair", "special_tokens"});
  Field const single = step.at("single");
  SpecialIds special;
  int sequences = 0;
  for (std::size_t position = 0; position < single.elements(); ++position) {
    Field const piece = single.element(position);
    piece.allow_only({"SpecialToken", "Sequence"});
    if (auto const sequence = piece.find("Sequence")) {
      if (sequence->at("id").text() != "A") sequence->at("id").refuse("is not \"A\"");
      ++sequences;
      continue;
    }
    std::vector<std::int32_t> const ids = read_special_ids(step, piece.at("SpecialToken").at("id").text());
    std::vector<std::int32_t>& side = sequences == 0 ? special.in_front : special.behind;
    side.insert(side.end(), ids.begin(), ids.end());
  }
  if (sequences != 1) single.refuse("does not hold the sequence \"A\" once");
  return special;
}

}  // namespace

Normalization read_normalizer(const Field& document) {
  auto const section = document.find("normalizer");
  if (!section) return Normalization::none;
  Normalization form = Normalization::none;
  for (Field const& step : steps_of(*section, "normalizers")) {
    if (step.at("type").text() != "NFC") refuse_type(step);
    form = Normalization::nfc;
  }
  return form;
}

PreTokenizer read_pre_tokenizer(const Field& document) {
  Field const section = document.at("pre_tokenizer");
  PreTokenizer pre_tokenizer;
  bool byte_level = false;
  for (Field const& step : steps_of(section, "pretokenizers")) {
    if (byte_level) step.refuse("comes after ByteLevel, which is supported as the last step only");
    std::string const type = step.at("type").text();
    if (type == "ByteLevel") {
      read_byte_level(step, pre_tokenizer);
      byte_level = true;
    } else if (type == "Split") {
      pre_tokenizer.splits.push_back(read_split(step));
    } else if (type == "Digits") {
      step.allow_only({"type", "individual_digits"});
      pre_tokenizer.splits.push_back(digits_split(step.at("individual_digits").flag()));
    } else {
      refuse_type(step);
    }
  }
  if (!byte_level) section.refuse("has no ByteLevel step: only byte-level tokenizers are supported");
  return pre_tokenizer;
}

std::vector<AddedToken> read_added_tokens(const Field& document, const Vocabulary& vocabulary) {
  std::vector<AddedToken> tokens;
  auto const list = document.find("added_tokens");
  if (!list) return tokens;
  std::unordered_map<std::string, std::int32_t> seen;
  for (std::size_t position = 0; position < list->elements(); ++position) {
    Field const entry = list->element(position);
    AddedToken token = read_added_token(entry);
    if (!seen.emplace(token.content, token.id).second) entry.at("content").refuse("stands twice");
    // The package gives a token its id by the vocabulary, or the next free one, whatever the file says: a file that says otherwise is
    // refused.
    auto const known = vocabulary.find(token.content);
    std::int32_t const given = known != vocabulary.end() ? known->second : id_after(vocabulary, tokens);
    if (token.id != given) entry.at("id").refuse(fmt::format("{} is not the id that this token gets, {}", token.id, given));
    tokens.push_back(std::move(token));
  }
  return tokens;
}

SpecialIds read_post_processor(const Field& document) {
  auto const section = document.find("post_processor");
  SpecialIds special;
  if (!section) return special;
  bool has_template = false;
  for (Field const& step : steps_of(*section, "processors")) {
    std::string const type = step.at("type").text();
    if (type == "TemplateProcessing") {
      if (has_template) step.refuse("is a second TemplateProcessing");
      special = read_template(step);
      has_template = true;
    } else if (type != "ByteLevel") {  // ByteLevel moves offsets, no ids
      refuse_type(step);
    }
  }
  return special;
}

void check_decoder(const Field& document) {
  Field const decoder = document.at("decoder");
  if (decoder.at("type").text() != "ByteLevel") refuse_type(decoder);
}

}  // namespace redproof::engine::text
