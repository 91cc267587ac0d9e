// A unified diff as git writes it: which files it names, which lines of their new side it changes.
#pragma once
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gates/runner/refusal.h"

namespace redproof::mutants {

// The program ends with `exit_code`: 6 where a diff cannot be read, 5 where it is another tree's.
struct DiffError : gates::Refusal {
  DiffError(int code, const std::string& what) : gates::Refusal(what), exit_code(code) {}
  int exit_code;
};

// Lines of the new side, 1-based, both ends included. Where lines only went away, the two between which they stood.
struct TouchedLines {
  std::size_t first = 0;
  std::size_t last = 0;
  bool gap = false;
};

struct NewLine {
  std::size_t number = 0;
  std::string text;         // without its line break
  bool ends_short = false;  // the last of its file, without a line break
};

struct FileDiff {
  std::string before, after;  // relative paths; empty where there is no such side
  bool created = false;
  bool opaque = false;                // binary: nothing can be compared
  std::vector<TouchedLines> touched;  // of the new side
  std::vector<NewLine> lines;         // changed ones and context
};

using Diff = std::vector<FileDiff>;

// Renames, new, deleted, empty and binary files, modes, quoted paths, CRLF, files without a last line break. A text without any diff in it
// is refused; an empty one is a diff of nothing. Throws DiffError (6).
Diff parse_diff(std::string_view text);
// Every line of the new side stands in the tree where the diff says so, and what it deletes is not there. Throws DiffError (5).
void check_matches(const Diff& diff, const std::filesystem::path& root);
std::string_view without_cr(std::string_view line);  // its line break's, if it ends with one
// Every path of either side.
std::set<std::string> paths_of(const Diff& diff);

}  // namespace redproof::mutants
