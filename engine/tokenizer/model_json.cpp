#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_set>

#include "engine/tokenizer/byte_level.h"
#include "engine/tokenizer/parts.h"
#include "engine/tokenizer/utf8.h"

namespace redproof::engine::text {
namespace {

struct Pair {
  std::string left, right;
};

Pair read_pair(const Field& merge) {
  if (!merge.is_text()) {
    if (merge.elements() != 2) merge.refuse("is not a pair");
    return {merge.element(0).text(), merge.element(1).text()};
  }
  std::string const& text = merge.text();
  std::size_t const space = text.find(' ');
  if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
    merge.refuse("is not two tokens with one space between them");
  return {text.substr(0, space), text.substr(space + 1)};
}

std::int32_t id_of(const Field& merge, const Vocabulary& vocabulary, const std::string& entry) {
  auto const found = vocabulary.find(entry);
  if (found == vocabulary.end()) merge.refuse(fmt::format("\"{}\" is not in model.vocab", printable(entry)));
  return found->second;
}

bool is_version_line(const Field& merge) { return merge.is_text() && merge.text().starts_with("#version"); }

void read_merges(const Field& merges, const Vocabulary& vocabulary, BpeModel& bpe) {
  std::size_t const count = merges.elements();
  bpe.merges.reserve(count);
  std::int32_t rank = 0;
  for (std::size_t position = 0; position < count; ++position) {
    Field const merge = merges.element(position);
    if (is_version_line(merge)) continue;
    Pair const pair = read_pair(merge);
    std::uint64_t const key = merge_key(id_of(merge, vocabulary, pair.left), id_of(merge, vocabulary, pair.right));
    bpe.merges.insert_or_assign(key, Merge{rank++, id_of(merge, vocabulary, pair.left + pair.right)});
  }
}

void refuse_unless_empty(const Field& model, std::string_view key) {
  auto const affix = model.find(key);
  if (affix && !affix->text().empty()) affix->refuse("is not supported");
}

void refuse_other_models(const Field& model) {
  auto const type = model.find("type");
  if (type && type->text() != "BPE") type->refuse(fmt::format("\"{}\" is not supported (BPE is)", printable(type->text())));
  model.allow_only({"type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback",
                    "ignore_merges", "vocab", "merges"});
  if (model.flag_or("byte_fallback", false)) model.at("byte_fallback").refuse("true is not supported");
  auto const dropout = model.find("dropout");
  if (dropout && dropout->value() != 0) dropout->refuse("is not supported: ids would be drawn at random");
  refuse_unless_empty(model, "continuing_subword_prefix");
  refuse_unless_empty(model, "end_of_word_suffix");
}

}  // namespace

Vocabulary read_vocabulary(const Field& model) {
  Field const vocab = model.at("vocab");
  if (!vocab.value().is_object()) vocab.refuse("is not an object");
  Vocabulary vocabulary;
  vocabulary.reserve(vocab.value().size());
  std::unordered_set<std::int32_t> ids;
  ids.reserve(vocab.value().size());
  for (auto const& [entry, id] : vocab.value().items()) {
    bool const whole = id.is_number_unsigned() && id.get<std::uint64_t>() <= INT32_MAX;
    if (!whole) vocab.refuse(fmt::format("the id of \"{}\" is not a whole number of 0 to 2^31 - 1", printable(entry)));
    if (!ids.insert(id.get<std::int32_t>()).second) vocab.refuse(fmt::format("id {} stands twice", id.get<std::int32_t>()));
    vocabulary.emplace(entry, id.get<std::int32_t>());
  }
  return vocabulary;
}

BpeModel read_bpe(const Field& model, const Vocabulary& vocabulary) {
  refuse_other_models(model);
  BpeModel bpe;
  for (std::size_t byte = 0; byte < bpe.byte_ids.size(); ++byte) {
    std::string spelled;
    append_utf8(spelled, byte_alphabet()[byte]);
    auto const found = vocabulary.find(spelled);
    bpe.byte_ids[byte] = found == vocabulary.end() ? -1 : found->second;
  }
  read_merges(model.at("merges"), vocabulary, bpe);
  bpe.fuse_unknown = model.flag_or("fuse_unk", false);
  bpe.ignore_merges = model.flag_or("ignore_merges", false);
  if (auto const unknown = model.find("unk_token")) bpe.unknown_id = id_of(*unknown, vocabulary, unknown->text());
  if (!bpe.ignore_merges) return bpe;
  for (auto const& [entry, id] : vocabulary) {
    if (auto bytes = spelled_bytes(entry)) bpe.entries.emplace(std::move(*bytes), id);
  }
  return bpe;
}

}  // namespace redproof::engine::text
