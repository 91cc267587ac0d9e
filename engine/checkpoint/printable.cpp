#include "engine/checkpoint/printable.h"

#include <fmt/format.h>

#include <cstddef>

namespace redproof::engine {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0; }

std::size_t claimed_length(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// Bytes of the well-formed UTF-8 sequence at `at`, or 0. Overlong forms and surrogates cannot hide a control character: they are refused.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  unsigned const lead = byte_at(text, at);
  std::size_t const length = claimed_length(lead);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  }
  unsigned const second = byte_at(text, at + 1);
  bool const overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  bool const outside = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || outside ? 0 : length;
}

bool is_control(std::string_view text, std::size_t at, std::size_t length) {
  unsigned const lead = byte_at(text, at);
  return (length == 1 && (lead < 0x20 || lead == 0x7F)) || (length == 2 && lead == 0xC2 && byte_at(text, at + 1) < 0xA0);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const length = sequence_length(text, at);
    if (length == 0) {
      line += fmt::format("\\x{:02x}", byte_at(text, at++));
      continue;
    }
    for (std::size_t i = 0; i < length; ++i) {
      if (is_control(text, at, length)) {
        line += fmt::format("\\x{:02x}", byte_at(text, at + i));
      } else {
        line += text[at + i];
      }
    }
    at += length;
  }
  return line;
}

}  // namespace redproof::engine
