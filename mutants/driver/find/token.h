// Source text as tokens: spaces, line breaks and comments do not matter when two pieces of source are compared.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace redproof::mutants {

enum class TokenKind { name, number, text, punctuation };

struct Token {
  TokenKind kind;
  std::size_t begin;  // bytes from the start of the lexed text
  std::size_t end;
};

// C++ tokens. A backslash before a line break is space; an unfinished literal or comment ends with the text.
std::vector<Token> lex(std::string_view source);
std::vector<std::string_view> token_texts(std::string_view source);
// The first token at or after `position`; its begin is npos where there is none.
Token token_at(std::string_view source, std::size_t position);
// 1-based.
std::size_t line_of(std::string_view source, std::size_t position);
// Cut after the first line or 100 bytes, for messages.
std::string_view first_line(std::string_view source);

}  // namespace redproof::mutants
