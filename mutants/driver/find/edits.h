// From an edit to the bytes it replaces.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "mutants/driver/catalog/mutant.h"
#include "mutants/driver/find/match.h"
#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

struct Replacement {
  Range range;  // bytes of the pristine file
  std::string text;
};

// Throws Stale. What it returns keeps the number of lines.
std::vector<Replacement> apply_tree_edit(const Edit& edit, const FileSyntax& file);
std::vector<Replacement> apply_text_edit(const Edit& edit, std::string_view source);

// Line breaks that a shorter text loses are put back behind it. Throws Stale inside a macro's continued lines.
Replacement keeping_lines(std::string_view source, Replacement replacement);
// One range of a source with replacements made that are in order and do not overlap.
std::string spliced(std::string_view source, Range range, const std::vector<Replacement>& replacements);
// All replacements made. Throws Stale where two overlap, where nothing changes, or where the number of lines would.
std::string apply_all(std::string_view source, std::vector<Replacement> replacements);

}  // namespace redproof::mutants
