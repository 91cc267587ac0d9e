#include "mutants/driver/cache/code_text.h"

#include <algorithm>
#include <cctype>

#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// `gap` is what stands between two tokens: space, comments and backslashes before line breaks.
class Gap {
 public:
  explicit Gap(std::string_view gap) : gap_(gap) {}

  // False where a comment may end elsewhere than it seems.
  bool append_to(std::string& code) {
    while (at_ < gap_.size()) {
      bool const plain = gap_.substr(at_, 2) == "//" ? line_comment() : gap_.substr(at_, 2) == "/*" ? block_comment() : space();
      if (!plain) return false;
    }
    code += lines_.empty() && !gap_.empty() ? " " : lines_;
    return true;
  }

 private:
  bool line_comment() {
    auto const end = std::min(gap_.find('\n', at_), gap_.size());
    auto const last = gap_.find_last_not_of(" \t\r\f\v", end == 0 ? 0 : end - 1);
    bool const goes_on = last != std::string_view::npos && last >= at_ && gap_[last] == '\\';
    at_ = end;
    return !goes_on;
  }

  bool block_comment() {
    auto const close = gap_.find("*/", at_ + 2);
    if (close == std::string_view::npos) return false;
    lines_.append(static_cast<std::size_t>(
                      std::count(gap_.begin() + static_cast<std::ptrdiff_t>(at_), gap_.begin() + static_cast<std::ptrdiff_t>(close), '\n')),
                  '\n');
    at_ = close + 2;
    return true;
  }

  bool space() {
    if (gap_[at_] == '\n') lines_ += '\n';
    if (gap_[at_] == '\\') lines_ += '\\';
    bool const known = is_space(gap_[at_]) || gap_[at_] == '\\';
    ++at_;
    return known;
  }

  std::string_view gap_;
  std::string lines_;
  std::size_t at_ = 0;
};

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  return line;
}

std::vector<std::string> logical_lines(std::string_view code) {
  std::vector<std::string> lines{{}};
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.substr(i, 2) == "\\\n") {
      lines.back() += ' ';
      ++i;
    } else if (code[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += code[i];
    }
  }
  return lines;
}

// The name of a directive: "include" of `# include <a>`.
std::string_view word_of(std::string_view directive) {
  std::string_view rest = trimmed(directive.substr(directive.starts_with("%:") ? 2 : 1));
  return rest.substr(
      0, static_cast<std::size_t>(
             std::find_if_not(rest.begin(), rest.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }) -
             rest.begin()));
}

bool is_include(std::string_view word) { return word == "include" || word == "include_next" || word == "import"; }

bool imports_a_module(std::string_view line) {
  std::string_view rest = trimmed(line);
  if (rest.starts_with("export ")) rest = trimmed(rest.substr(7));
  return rest.starts_with("import ") || rest.starts_with("import<") || rest.starts_with("import\"") || rest.starts_with("module ") ||
         rest.starts_with("module;");
}

}  // namespace

std::string code_text(std::string_view source) {
  if (source.find("?\?/") != std::string_view::npos) return std::string(source);
  std::string code;
  std::size_t end = 0;
  for (const Token& token : lex(source)) {
    if (!Gap(source.substr(end, token.begin - end)).append_to(code)) return std::string(source);
    code += source.substr(token.begin, token.end - token.begin);
    end = token.end;
  }
  return Gap(source.substr(end)).append_to(code) ? code : std::string(source);
}

std::vector<std::string> directives_of(std::string_view code) {
  std::vector<std::string> directives;
  for (const std::string& line : logical_lines(code)) {
    std::string_view const text = trimmed(line);
    if (text.starts_with('#') || text.starts_with("%:")) directives.emplace_back(text);
  }
  return directives;
}

Includes includes_of(std::string_view code) {
  Includes includes;
  for (const std::string& directive : directives_of(code)) {
    std::string_view const word = word_of(directive);
    if (!is_include(word)) continue;
    std::string_view const named = trimmed(std::string_view(directive).substr(directive.find(word) + word.size()));
    char const close = named.starts_with('<') ? '>' : '"';
    auto const end = named.starts_with('<') || named.starts_with('"') ? named.find(close, 1) : std::string_view::npos;
    if (end == std::string_view::npos)
      includes.computed = true;
    else
      includes.names.emplace_back(named.substr(1, end - 1));
  }
  return includes;
}

bool reads_otherwise(std::string_view code) {
  for (std::string_view const word : {"__has_include", "__has_embed", "incbin", "_Pragma"})
    if (code.find(word) != std::string_view::npos) return true;
  auto const lines = logical_lines(code);
  return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    std::string_view const text = trimmed(line);
    return imports_a_module(text) || (text.starts_with('#') && word_of(text) == "embed");
  });
}

}  // namespace redproof::mutants
