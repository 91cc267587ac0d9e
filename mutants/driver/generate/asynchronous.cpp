#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/families.h"
#include "mutants/driver/generate/words.h"

namespace redproof::mutants {
namespace {

constexpr std::array<std::string_view, 4> waits = {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize",
                                                   "cudaStreamWaitEvent"};

// A spot's tokens at their places in the file.
struct Word {
  Range range;
  std::string_view text;
  TokenKind kind;
};

std::vector<Word> words_in(const Spot& spot) {
  std::vector<Word> words;
  for (const Token& token : lex(spot.text())) {
    Range const range{spot.range().begin + token.begin, spot.range().begin + token.end};
    words.push_back({range, spot.tree->text(range), token.kind});
  }
  return words;
}

// The index of the bracket that closes the one at `open`; the number of words where there is none.
std::size_t closing(const std::vector<Word>& words, std::size_t open, std::string_view opens, std::string_view closes) {
  int depth = 0;
  for (std::size_t i = open; i < words.size(); ++i) {
    if (words[i].text == opens) ++depth;
    if (words[i].text == closes && --depth == 0) return i;
  }
  return words.size();
}

std::optional<unsigned> number_of(std::string_view text) {
  unsigned value = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string one_more(std::string_view count) {
  if (auto const number = number_of(count)) return std::to_string(*number + 1);
  return (token_texts(count).size() == 1 ? std::string(count) : "(" + std::string(count) + ")") + " + 1";
}

bool is_asm(const std::vector<Word>& words) {
  return !words.empty() && (words[0].text == "asm" || words[0].text == "__asm__" || words[0].text == "__asm");
}

// How many words of an asm statement stand before its first operand: those that hold its instructions.
std::size_t instructions_of(const std::vector<Word>& words) {
  auto const colon = std::find_if(words.begin(), words.end(), [](const Word& word) { return word.text == ":" || word.text == "::"; });
  return static_cast<std::size_t>(colon - words.begin());
}

// What stands in the brackets of the operand that the instructions call %index.
std::optional<Range> operand_of(const std::vector<Word>& words, std::size_t index) {
  for (std::size_t i = instructions_of(words); i + 1 < words.size(); ++i) {
    if (words[i].kind != TokenKind::text || words[i + 1].text != "(") continue;
    std::size_t const end = closing(words, i + 1, "(", ")");
    if (end >= words.size() || end == i + 2) return std::nullopt;
    if (index-- == 0) return Range{words[i + 2].range.begin, words[end - 1].range.end};
    i = end;
  }
  return std::nullopt;
}

// Behind `wait_group`, its variants and spaces: a number, or the operand that holds it.
void add_wait(const Spot& spot, const std::vector<Word>& words, const Word& word, std::size_t at, Changes& changes) {
  std::size_t const begin = word.text.find_first_not_of(".abcdefghijklmnopqrstuvwxyz_ \t\\", at);
  if (begin == std::string_view::npos) return;
  bool const operand = word.text[begin] == '%';
  std::size_t const first = begin + (operand ? 1 : 0);
  std::size_t const end = std::min(word.text.find_first_not_of("0123456789", first), word.text.size());
  auto const number = number_of(word.text.substr(first, end - first));
  if (!number) return;
  if (!operand) return changes.push_back({{word.range.begin + begin, word.range.begin + end}, std::to_string(*number + 1)});
  if (auto const count = operand_of(words, *number)) changes.push_back({*count, one_more(spot.tree->text(*count))});
}

void wait_in_asm(const Spot& spot, const std::vector<Word>& words, Changes& changes) {
  for (std::size_t i = 0; i < instructions_of(words); ++i) {
    if (words[i].kind != TokenKind::text) continue;
    for (auto at = words[i].text.find("wait_group"); at != std::string_view::npos; at = words[i].text.find("wait_group", at + 1))
      add_wait(spot, words, words[i], at, changes);
  }
}

bool leaves_some_outstanding(std::string_view name) {
  bool const of_copies = has_word(name, "prior") || has_word(name, "group") || has_word(name, "async") || has_word(name, "warpgroup");
  return has_word(name, "wait") && of_copies;
}

// A number or a value, and no type.
bool is_count(const Tree& tree, Range range) {
  if (number_of(tree.text(range))) return true;
  return std::any_of(tree.scope->nodes.begin(), tree.scope->nodes.end(), [&](const Node& node) {
    return node.range == range && (node.kind == NodeKind::expression || node.kind == NodeKind::literal);
  });
}

void replace_text(const Word& word, std::string_view from, std::string_view to, Changes& changes) {
  for (auto at = word.text.find(from); at != std::string_view::npos; at = word.text.find(from, at + 1)) {
    bool const inside_name = word.text[at - 1] == '.' || word.text[at - 1] == '_';
    std::size_t const begin = word.range.begin + at;
    if (!inside_name) changes.push_back({{begin, begin + from.size()}, std::string(to)});
  }
}

}  // namespace

// One copy more may be outstanding than what follows can bear.
void pipeline_wait(const Spot& spot, Changes& changes) {
  bool const call = spot.node().kind == NodeKind::call;
  if (!call && spot.node().kind != NodeKind::other_statement) return;
  auto const words = words_in(spot);
  if (!call) return is_asm(words) ? wait_in_asm(spot, words, changes) : void();
  auto const bracket = std::find_if(words.begin(), words.end(), [](const Word& word) { return word.text == "<" || word.text == "("; });
  auto const open = static_cast<std::size_t>(bracket - words.begin());
  if (bracket == words.end() || open == 0 || !leaves_some_outstanding(words[open - 1].text)) return;
  bool const of_template = bracket->text == "<";
  std::size_t const close = of_template ? closing(words, open, "<", ">") : closing(words, open, "(", ")");
  if (close >= words.size() || close == open + 1 || (!of_template && spot.node().arguments.size() != 1)) return;
  if (!of_template && !has_word(words[open - 1].text, "prior")) return;
  Range const count{words[open + 1].range.begin, words[close - 1].range.end};
  if (is_count(*spot.tree, count)) changes.push_back({count, one_more(spot.tree->text(count))});
}

// What another thread has written may be read late, or before what it belongs to.
void ptx_ld_volatile(const Spot& spot, Changes& changes) {
  if (spot.node().kind != NodeKind::other_statement) return;
  auto const words = words_in(spot);
  if (!is_asm(words)) return;
  for (std::size_t i = 0; i < instructions_of(words); ++i) {
    if (words[i].kind != TokenKind::text) continue;
    replace_text(words[i], "ld.volatile", "ld", changes);
    replace_text(words[i], "ld.acquire", "ld.relaxed", changes);
  }
}

// Where it is a statement it is a call like any other.
void wait_removed(const Spot& spot, Changes& changes) {
  if (spot.node().kind != NodeKind::call || stands_as_statement(spot)) return;
  if (std::find(waits.begin(), waits.end(), spot.node().name) != waits.end()) changes.push_back({spot.range(), "cudaSuccess"});
}

}  // namespace redproof::mutants
