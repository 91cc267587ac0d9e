#include "engine/tokenizer/byte_level.h"

#include "engine/tokenizer/utf8.h"

namespace redproof::engine::text {
namespace {

// Latin-1's visible characters spell themselves (less the soft hyphen); the 68 others take U+0100 and up, in order.
bool spells_itself(int byte) { return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xFF && byte != 0xAD); }

ByteAlphabet make_alphabet() {
  ByteAlphabet alphabet{};
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte) alphabet[byte] = spells_itself(byte) ? static_cast<char32_t>(byte) : next++;
  return alphabet;
}

std::array<std::int16_t, 0x200> make_inverse() {
  std::array<std::int16_t, 0x200> inverse{};
  inverse.fill(-1);
  for (int byte = 0; byte < 256; ++byte) inverse[byte_alphabet()[byte]] = static_cast<std::int16_t>(byte);
  return inverse;
}

}  // namespace

const ByteAlphabet& byte_alphabet() {
  static const ByteAlphabet alphabet = make_alphabet();
  return alphabet;
}

std::optional<std::string> spelled_bytes(std::string_view entry) {
  static const auto inverse = make_inverse();
  std::string bytes;
  for (std::size_t at = 0; at < entry.size();) {
    CodePoint const point = code_point_at(entry, at);
    if (point.bytes == 0 || point.value >= inverse.size() || inverse[point.value] < 0) return std::nullopt;
    bytes += static_cast<char>(inverse[point.value]);
    at += point.bytes;
  }
  return bytes;
}

}  // namespace redproof::engine::text
