#include "engine/tokenizer/utf8.h"

#include <fmt/format.h>

#include <cstdint>

namespace redproof::engine::text {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

struct Lead {
  std::size_t bytes;  // of the whole code point; 0: no code point begins so
  std::uint8_t low,
      high;  // what the second byte may be (Unicode, table 3-7): shuts out overlong forms, surrogates and values past U+10FFFF
};

Lead lead_of(std::uint8_t byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// How many bytes at `at` are the beginning of one code point, or all of it; at least 1.
std::size_t well_formed_bytes(std::string_view text, std::size_t at, Lead lead) {
  std::size_t count = 1;
  while (count < lead.bytes && at + count < text.size()) {
    std::uint8_t const byte = byte_at(text, at + count);
    bool const fits = count == 1 ? byte >= lead.low && byte <= lead.high : (byte & 0xC0) == 0x80;
    if (!fits) break;
    ++count;
  }
  return count;
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {0, 0};
  Lead const lead = lead_of(byte_at(text, at));
  if (lead.bytes == 0 || well_formed_bytes(text, at, lead) != lead.bytes) return {0, 0};
  char32_t value = lead.bytes == 1 ? byte_at(text, at) : byte_at(text, at) & (0x7FU >> lead.bytes);
  for (std::size_t i = 1; i < lead.bytes; ++i) value = value << 6 | (byte_at(text, at + i) & 0x3FU);
  return {value, lead.bytes};
}

CodePoint code_point_before(std::string_view text, std::size_t at) {
  if (at == 0) return {0, 0};
  std::size_t begin = at - 1;
  while (begin > 0 && (byte_at(text, begin) & 0xC0) == 0x80) --begin;
  return code_point_at(text, begin);
}

std::size_t first_invalid_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const bytes = code_point_at(text, at).bytes;
    if (bytes == 0) return at;
    at += bytes;
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, char32_t value) {
  auto const tail = [&](int shift) { out += static_cast<char>(0x80 | (value >> shift & 0x3F)); };
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xC0 | value >> 6);
    tail(0);
  } else if (value < 0x10000) {
    out += static_cast<char>(0xE0 | value >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | value >> 18);
    tail(12), tail(6), tail(0);
  }
}

std::string utf8_with_replacements(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    Lead const lead = lead_of(byte_at(bytes, at));
    std::size_t const count = well_formed_bytes(bytes, at, lead);
    if (count == lead.bytes) {
      out += bytes.substr(at, count);
    } else {
      append_utf8(out, 0xFFFD);
    }
    at += count;
  }
  return out;
}

bool is_white_space(char32_t value) {
  if (value >= 0x09 && value <= 0x0D) return true;
  if (value >= 0x2000 && value <= 0x200A) return true;
  constexpr std::u32string_view others = U"\u0020\u0085\u00A0\u1680\u2028\u2029\u202F\u205F\u3000";
  return others.find(value) != std::u32string_view::npos;
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() > longest) return out + "...";
    CodePoint const point = code_point_at(text, at);
    // C0, DEL and C1 reach no terminal; nor do bytes that are not UTF-8.
    if (point.bytes == 0 || point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0)) {
      out += fmt::format("\\x{:02x}", point.bytes == 0 ? byte_at(text, at) : static_cast<unsigned>(point.value));
    } else {
      out += text.substr(at, point.bytes);
    }
    at += point.bytes == 0 ? 1 : point.bytes;
  }
  return out;
}

}  // namespace redproof::engine::text
