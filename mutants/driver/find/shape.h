// What it takes to put another body beside a function's own. Included inside this folder only.
#pragma once
#include <string_view>

#include "mutants/driver/find/libclang.h"
#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

// Of a function definition whose text stands in `file`.
FunctionShape shape_of(CXCursor cursor, CXFile file, std::string_view source);

}  // namespace redproof::mutants
