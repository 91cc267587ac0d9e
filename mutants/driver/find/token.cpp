#include "mutants/driver/find/token.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace redproof::mutants {
namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || static_cast<signed char>(c) < 0; }
bool continues_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

std::size_t end_of_comment(std::string_view source, std::size_t at) {
  if (source.substr(at, 2) == "/*") {
    auto const close = source.find("*/", at + 2);
    return close == std::string_view::npos ? source.size() : close + 2;
  }
  auto const line = source.find('\n', at);
  return line == std::string_view::npos ? source.size() : line;
}

std::size_t skip_space(std::string_view source, std::size_t at) {
  while (at < source.size()) {
    std::string_view const two = source.substr(at, 2);
    if (two == "//" || two == "/*") {
      at = end_of_comment(source, at);
    } else if (std::isspace(static_cast<unsigned char>(source[at])) || two == "\\\n" || two == "\\\r") {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t end_of_quoted(std::string_view source, std::size_t quote) {
  char const close = source[quote];
  for (std::size_t at = quote + 1; at < source.size(); ++at) {
    if (source[at] == '\\') {
      ++at;
    } else if (source[at] == close || source[at] == '\n') {
      return at + 1;
    }
  }
  return source.size();
}

// R"tag( ... )tag"
std::size_t end_of_raw(std::string_view source, std::size_t quote) {
  auto const open = source.find('(', quote);
  if (open == std::string_view::npos) return source.size();
  std::string const close = ")" + std::string(source.substr(quote + 1, open - quote - 1)) + "\"";
  auto const found = source.find(close, open);
  return found == std::string_view::npos ? source.size() : found + close.size();
}

std::size_t end_of_number(std::string_view source, std::size_t at) {
  for (++at; at < source.size(); ++at) {
    char const before = source[at - 1];
    bool const exponent = (source[at] == '+' || source[at] == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
    bool const separator = source[at] == '\'' && at + 1 < source.size() && std::isalnum(static_cast<unsigned char>(source[at + 1]));
    if (!continues_name(source[at]) && source[at] != '.' && !exponent && !separator) break;
  }
  return at;
}

std::size_t end_of_punctuation(std::string_view source, std::size_t at) {
  // Longest first.
  static constexpr std::array<std::string_view, 27> known = {"<<=", ">>=", "...", "<=>", "->*", "::", "->", "++", "--",
                                                             "<<",  ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=",
                                                             "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", ".*", "##"};
  for (std::string_view const mark : known)
    if (source.substr(at, mark.size()) == mark) return at + mark.size();
  return at + 1;
}

Token next_token(std::string_view source, std::size_t at) {
  char const c = source[at];
  bool const leading_dot = c == '.' && at + 1 < source.size() && std::isdigit(static_cast<unsigned char>(source[at + 1]));
  if (std::isdigit(static_cast<unsigned char>(c)) || leading_dot) return {TokenKind::number, at, end_of_number(source, at)};
  if (c == '"' || c == '\'') return {TokenKind::text, at, end_of_quoted(source, at)};
  if (!starts_name(c)) return {TokenKind::punctuation, at, end_of_punctuation(source, at)};
  std::size_t end = at;
  while (end < source.size() && continues_name(source[end])) ++end;
  std::string_view const name = source.substr(at, end - at);
  bool const prefix = name == "R" || name == "L" || name == "u" || name == "U" || name == "u8" || name == "LR" || name == "uR" ||
                      name == "UR" || name == "u8R";
  if (prefix && end < source.size() && source[end] == '"')
    return {TokenKind::text, at, name.back() == 'R' ? end_of_raw(source, end) : end_of_quoted(source, end)};
  if (prefix && name.back() != 'R' && end < source.size() && source[end] == '\'') return {TokenKind::text, at, end_of_quoted(source, end)};
  return {TokenKind::name, at, end};
}

}  // namespace

Token token_at(std::string_view source, std::size_t position) {
  std::size_t const at = skip_space(source, position);
  return at < source.size() ? next_token(source, at) : Token{TokenKind::punctuation, std::string_view::npos, std::string_view::npos};
}

std::vector<Token> lex(std::string_view source) {
  std::vector<Token> tokens;
  for (Token token = token_at(source, 0); token.begin != std::string_view::npos; token = token_at(source, token.end))
    tokens.push_back(token);
  return tokens;
}

std::vector<std::string_view> token_texts(std::string_view source) {
  std::vector<std::string_view> texts;
  for (const Token& token : lex(source)) texts.push_back(source.substr(token.begin, token.end - token.begin));
  return texts;
}

std::size_t line_of(std::string_view source, std::size_t position) {
  return 1 + static_cast<std::size_t>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

std::string_view first_line(std::string_view source) {
  return source.substr(0, std::min({source.find('\n'), source.size(), std::size_t{100}}));
}

}  // namespace redproof::mutants
