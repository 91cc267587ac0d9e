// From libclang's cursors to our own nodes. Included inside this folder only.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mutants/driver/find/libclang.h"
#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

std::string text_of(CXString string);  // takes ownership
// The bytes of `file` that a cursor covers; nothing where it is written elsewhere or is empty.
std::optional<Range> written_range(CXCursor cursor, CXFile file);

// The scope that a declaration opens, without its tree; nothing where it defines none.
std::optional<Scope> scope_of(CXCursor cursor, std::string_view source);
// The tree below a declaration. Nodes that stand in another file are left out.
std::vector<Node> convert(CXCursor cursor, CXFile file);

}  // namespace redproof::mutants
