#pragma once
#include <string>
#include <vector>

namespace redproof::properties {

// Whether a refusal names what it has to name: each of `names`, in their order.
bool named_in_order(const std::string& text, const std::vector<std::string>& names);

}  // namespace redproof::properties
