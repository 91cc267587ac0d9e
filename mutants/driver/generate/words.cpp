#include "mutants/driver/generate/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace redproof::mutants {
namespace {

bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// Single names that are taken for one another.
bool is_pair(const std::string& one, const std::string& other) {
  static const std::array<std::set<std::string>, 12> groups = {{{"q", "k", "v"},
                                                                {"key", "value"},
                                                                {"query", "key"},
                                                                {"x", "y", "z"},
                                                                {"i", "j"},
                                                                {"row", "column", "col"},
                                                                {"rows", "columns", "cols"},
                                                                {"first", "last"},
                                                                {"begin", "end"},
                                                                {"lo", "hi"},
                                                                {"low", "high"},
                                                                {"source", "target"}}};
  return std::any_of(groups.begin(), groups.end(), [&](const auto& group) { return group.contains(one) && group.contains(other); });
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i < name.size(); ++i) {
    bool const hump = is_upper(name[i]) && i > 0 && !is_upper(name[i - 1]);
    if ((!is_part(name[i]) || hump) && !word.empty()) {
      words.push_back(word);
      word.clear();
    }
    if (is_part(name[i])) word += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

bool has_word(std::string_view name, std::string_view word) {
  auto const words = words_of(name);
  return std::any_of(words.begin(), words.end(), [&](const std::string& one) { return one == word || one == std::string(word) + "s"; });
}

bool are_neighbours(std::string_view one, std::string_view other) {
  auto const a = words_of(one);
  auto const b = words_of(other);
  if (a.size() != b.size() || a.empty() || one == other) return false;
  if (a.size() == 1) return is_pair(a[0], b[0]);
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i];
  return different == 1;
}

std::string_view counterpart(std::span<const WordPair> pairs, std::string_view word) {
  auto const found = std::find_if(pairs.begin(), pairs.end(), [&](const WordPair& pair) { return pair.first == word; });
  return found == pairs.end() ? std::string_view() : found->second;
}

}  // namespace redproof::mutants
