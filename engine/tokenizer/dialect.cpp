#include "engine/tokenizer/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/tokenizer/utf8.h"

namespace redproof::engine::text {
namespace {

constexpr std::string_view categories =
    "C Cc Cf Cn Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs ";
constexpr std::array<std::string_view, 7> groups = {"?:", "?i:", "?=", "?!", "?<=", "?<!", "?>"};
constexpr std::size_t longest_pattern = 65536;  // bytes

bool is_ascii_letter_or_digit(char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

class Translation {
 public:
  explicit Translation(std::string_view pattern) : pattern_(pattern) {}

  std::string run() {
    if (pattern_.size() > longest_pattern) throw PatternError("is longer than 64 KiB");
    while (at_ < pattern_.size()) {
      char const c = pattern_[at_];
      if (c == '\\') {
        escape();
      } else if (in_class_) {
        class_character(c);
      } else {
        character(c);
      }
    }
    if (in_class_) throw PatternError("has a class that does not end");
    return std::move(out_);
  }

 private:
  bool at_text(std::string_view text) const { return pattern_.substr(at_, text.size()) == text; }

  void copy(std::size_t bytes) {
    out_ += pattern_.substr(at_, bytes);
    at_ += bytes;
  }

  [[noreturn]] void refuse(std::size_t bytes) const {
    throw PatternError(fmt::format("uses '{}', which is not supported", printable(pattern_.substr(at_, bytes))));
  }

  void escape() {
    char const letter = at_ + 1 < pattern_.size() ? pattern_[at_ + 1] : '\0';
    if (letter == 's' || letter == 'S') {
      // PCRE2's own \s holds U+180E, Oniguruma's does not.
      out_ += letter == 's' ? "\\p{White_Space}" : "\\P{White_Space}";
      at_ += 2;
    } else if (letter == 'p' || letter == 'P') {
      property();
    } else if (letter == 'd' || letter == 'D' || letter == 'r' || letter == 'n' || letter == 't' || letter == 'f') {
      copy(2);
    } else if (letter == '\0' || is_ascii_letter_or_digit(letter)) {
      refuse(2);  // \h, \w, \b, \R, \x..: other sets, or another syntax
    } else {
      copy(2);
    }
  }

  // General categories alone: \p{Han} is a script in one engine and a script extension in the other.
  void property() {
    std::size_t const close = pattern_.find('}', at_);
    bool const braced = at_ + 2 < pattern_.size() && pattern_[at_ + 2] == '{' && close != std::string_view::npos;
    if (!braced) refuse(3);
    std::string const name(pattern_.substr(at_ + 3, close - at_ - 3));
    if (name.empty() || name.find(' ') != std::string::npos || !known_category(name)) refuse(close + 1 - at_);
    copy(close + 1 - at_);
  }

  static bool known_category(const std::string& name) {
    return (" " + std::string(categories)).find(" " + name + " ") != std::string::npos;
  }

  void class_character(char c) {
    // In Oniguruma '[' nests a class and '&&' intersects; PCRE2 reads both as characters.
    if (c == '[' || at_text("&&")) refuse(c == '[' ? 1 : 2);
    if (c == ']') in_class_ = false;
    copy(1);
  }

  void character(char c) {
    if (c == '[') {
      copy(at_text("[^") ? 2 : 1);
      if (at_text("]")) refuse(1);
      in_class_ = true;
    } else if (at_text("(?")) {
      group();
    } else if (at_text("(*") || at_text("}+")) {
      refuse(2);  // a verb; a possessive count here, a repeated count there
    } else {
      copy(1);
    }
  }

  void group() {
    std::string_view const rest = pattern_.substr(at_ + 1);
    auto const known = std::find_if(groups.begin(), groups.end(), [&](std::string_view group) { return rest.starts_with(group); });
    if (known == groups.end()) refuse(3);
    copy(1 + known->size());
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  bool in_class_ = false;
  std::string out_;
};

}  // namespace

std::string pcre2_pattern(std::string_view oniguruma) { return Translation(oniguruma).run(); }

}  // namespace redproof::engine::text
