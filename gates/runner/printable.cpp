#include "gates/runner/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace redproof::gates {

namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  // 0: no valid UTF-8 starts here
};

std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

CodePoint decode(std::string_view text) {
  auto const lead = static_cast<unsigned char>(text[0]);
  std::size_t const length = length_of(lead);
  if (length <= 1) return {lead, length};
  if (text.size() < length) return {};
  std::uint32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    auto const next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return {};
    value = value << 6 | (next & 0x3Fu);
  }
  bool const overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  bool const surrogate = value >= 0xD800 && value < 0xE000;
  return overlong || surrogate || value > 0x10FFFF ? CodePoint{} : CodePoint{value, length};
}

// Would move the cursor, change colours, or reorder the line; or is no character at all (U+FFFE, which XML forbids).
bool is_control(std::uint32_t value) {
  bool const format = (value >= 0x200E && value <= 0x200F) || (value >= 0x2028 && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
  bool const none = (value & 0xFFFE) == 0xFFFE;
  return value < 0x20 || (value >= 0x7F && value < 0xA0) || format || none;
}

std::string escaped(std::string_view text, bool keeps_lines) {
  std::string out;
  while (!text.empty()) {
    CodePoint const point = decode(text);
    bool const kept = keeps_lines && (point.value == '\n' || point.value == '\t') && point.bytes == 1;
    if (point.bytes == 0 || (point.bytes == 1 && is_control(point.value) && !kept))
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (is_control(point.value) && !kept)
      out += fmt::format("\\u{{{:x}}}", point.value);
    else
      out += text.substr(0, point.bytes);
    text.remove_prefix(std::max<std::size_t>(point.bytes, 1));
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  if (text.size() <= most) return escaped(text, false);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return escaped(text.substr(0, most), false) + "...";
}

std::string printable_block(std::string_view text) { return escaped(text, true); }

}  // namespace redproof::gates
