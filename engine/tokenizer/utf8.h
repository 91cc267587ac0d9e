#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace redproof::engine::text {

struct CodePoint {
  char32_t value;
  std::size_t bytes;  // 0: no whole, well-formed code point stands there
};

CodePoint code_point_at(std::string_view text, std::size_t at);
CodePoint code_point_before(std::string_view text, std::size_t at);  // precondition: text[0, at) is UTF-8
std::size_t first_invalid_byte(std::string_view text);               // npos: the text is UTF-8
void append_utf8(std::string& out, char32_t value);

// Every maximal part that begins a code point and breaks off becomes one U+FFFD, as does every byte that cannot begin one.
std::string utf8_with_replacements(std::string_view bytes);

bool is_white_space(char32_t value);           // the Unicode property White_Space
std::string printable(std::string_view text);  // for a message: control characters escaped, cut after 80 bytes

}  // namespace redproof::engine::text
