// What libclang says about a node beyond its place: operators, types, names. Included inside this folder only.
#pragma once
#include <string_view>

#include "mutants/driver/find/libclang.h"
#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

TypeFacts type_facts(CXType type);
// Everything of a node but its kind, its range and what stands around it.
void add_facts(CXCursor cursor, Node& node);
// Whether a part of what a cursor covers stands in the body of a macro, so that its `text` is not what the compiler sees.
bool is_from_macro(CXCursor cursor, std::string_view text);

}  // namespace redproof::mutants
