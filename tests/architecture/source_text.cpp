#include "tests/architecture/source_text.h"

#include <cctype>

#include "tests/architecture/tree.h"

namespace redproof::tests {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Walks a text once and blanks what is no code.
class Blanker {
 public:
  Blanker(std::string_view text, Strings strings) : out_(text), strings_(strings) {}

  std::string run() {
    while (at_ < out_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    if (starts("//")) return blank_to(end_of_line_comment());
    if (starts("/*")) return blank_to(after("*/", at_ + 2));
    if (out_[at_] == '"') return is_raw() ? blank_to(end_of_raw()) : skip_literal('"');
    if (out_[at_] == '\'' && !is_digit_separator()) return skip_literal('\'');
    ++at_;
  }

  bool starts(std::string_view what) const { return std::string_view(out_).substr(at_).starts_with(what); }

  std::size_t after(std::string_view what, std::size_t from) const {
    std::size_t const found = out_.find(what, from);
    return found == std::string::npos ? out_.size() : found + what.size();
  }

  // A backslash before the end of the line carries the comment on.
  std::size_t end_of_line_comment() const {
    std::size_t end = out_.find('\n', at_);
    while (end != std::string::npos && out_[end - 1] == '\\') end = out_.find('\n', end + 1);
    return end == std::string::npos ? out_.size() : end;
  }

  std::string_view word_before() const {
    std::size_t begin = at_;
    while (begin > 0 && (is_word(out_[begin - 1]) || out_[begin - 1] == '\'')) --begin;
    return std::string_view(out_).substr(begin, at_ - begin);
  }

  bool is_raw() const {
    std::string_view const prefix = word_before();
    return prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R";
  }

  std::size_t end_of_raw() const {
    std::size_t const open = out_.find('(', at_);
    if (open == std::string::npos) return out_.size();
    return after(")" + out_.substr(at_ + 1, open - at_ - 1) + "\"", open);
  }

  bool is_digit_separator() const {
    std::string_view const word = word_before();
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
  }

  void skip_literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < out_.size() && out_[end] != quote && out_[end] != '\n') end += out_[end] == '\\' ? 2 : 1;
    end = std::min(end, out_.size());
    if (strings_ == Strings::kept) {
      at_ = end + 1;
      return;
    }
    ++at_;
    blank_to(end);
    at_ = end + 1;
  }

  void blank_to(std::size_t end) {
    for (; at_ < end; ++at_) {
      if (out_[at_] != '\n') out_[at_] = ' ';
    }
  }

  std::string out_;
  Strings strings_;
  std::size_t at_ = 0;
};

}  // namespace

std::string code_only(std::string_view text, Strings strings) { return Blanker(text, strings).run(); }

std::string code_without_directives(std::string_view text) {
  std::string code = code_only(text);
  for (std::size_t begin = 0; begin < code.size();) {
    std::size_t const first = code.find_first_not_of(" \t", begin);
    bool const directive = first != std::string::npos && code[first] == '#';
    std::size_t end = code.find('\n', begin);
    while (directive && end != std::string::npos && end > 0 && code[end - 1] == '\\') end = code.find('\n', end + 1);
    end = end == std::string::npos ? code.size() : end;
    for (std::size_t i = begin; directive && i < end; ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    begin = end + 1;
  }
  return code;
}

std::vector<Directive> directives_of(std::string_view text) {
  std::string const code = code_only(text, Strings::kept);
  std::vector<Directive> out;
  for (std::size_t begin = 0; begin < code.size();) {
    std::size_t const end = std::min(code.find('\n', begin), code.size());
    std::string line = code.substr(begin, end - begin);
    std::size_t const hash = line.find_first_not_of(" \t");
    if (hash != std::string::npos && line[hash] == '#') {
      line.erase(0, hash);
      line.erase(line.find_last_not_of(" \t\r") + 1);
      std::size_t const name = std::min(line.find_first_not_of(" \t", 1), line.size());
      std::size_t const rest = std::min(line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", name), line.size());
      out.push_back({line_of(code, begin), line, line.substr(name, rest - name), line.substr(rest)});
    }
    begin = end + 1;
  }
  return out;
}

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> out;
  for (Directive const& directive : directives_of(text)) {
    if (directive.name != "include" && directive.name != "include_next" && directive.name != "import") continue;
    std::string const& rest = directive.rest;
    std::size_t const open = rest.find_first_not_of(" \t");
    bool const plain = open != std::string::npos && (rest[open] == '"' || rest[open] == '<');
    std::size_t const close = plain ? rest.find_first_of("\">", open + 1) : std::string::npos;
    std::string const target = close == std::string::npos ? "" : rest.substr(open + 1, close - open - 1);
    out.push_back({directive.line, directive.text, target, plain && rest[open] == '"'});
  }
  return out;
}

}  // namespace redproof::tests
