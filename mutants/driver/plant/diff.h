#pragma once
#include <string>
#include <string_view>

namespace redproof::mutants {

// A unified diff with three lines of context; empty where the texts are equal.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);

}  // namespace redproof::mutants
