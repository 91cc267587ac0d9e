// Where C++ wants what the compiler knows, and where nothing is evaluated. Included inside this folder only.
#pragma once
#include <string_view>

#include "mutants/driver/find/libclang.h"

namespace redproof::mutants {

// Whether `child` is such a place by virtue of being below `parent`: a template argument, an array bound, a case label, the condition of
// `if constexpr`, an initialiser of what is constexpr, the operand of sizeof, an attribute.
bool is_constant_below(CXCursor parent, CXCursor child, std::string_view source);

}  // namespace redproof::mutants
