// The JSON schemas of what a run writes, for whoever reads it with other tools.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace redproof::mutants {

// plan, outcomes (a line), report, selection, end
std::span<const std::string_view> schema_names();
// Draft 7. Throws gates::Refusal where there is none of that name.
std::string schema_of(std::string_view name);

}  // namespace redproof::mutants
