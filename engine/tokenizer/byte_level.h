#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redproof::engine::text {

// GPT-2's alphabet: every byte is spelled as one printable character in vocabulary entries.
using ByteAlphabet = std::array<char32_t, 256>;
const ByteAlphabet& byte_alphabet();

// The bytes that a vocabulary entry spells; nothing where it holds a character outside the alphabet.
std::optional<std::string> spelled_bytes(std::string_view entry);

}  // namespace redproof::engine::text
