#pragma once
#include <string>
#include <string_view>

namespace redproof::engine::text {

enum class Normalization { none, nfc };

// Precondition: text is UTF-8.
std::string normalize(std::string_view text, Normalization form);

}  // namespace redproof::engine::text
