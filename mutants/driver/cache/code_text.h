// What a compiler reads of C++ source: the text without its comments, each line still a line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace redproof::mutants {

// Equal code texts are equal tokens on equal lines, with a space where there was any. Where it cannot be said what is a comment (one that
// a backslash continues, trigraphs), the source as it is.
std::string code_text(std::string_view source);

// Its preprocessor directives, a line each, continued ones joined.
std::vector<std::string> directives_of(std::string_view code);

struct Includes {
  std::vector<std::string> names;  // as written, without quotes
  bool computed = false;           // one is named by a macro
};
Includes includes_of(std::string_view code);

// Whether more than the files that it includes may decide what it becomes: files that are embedded, asked for or imported.
bool reads_otherwise(std::string_view code);

}  // namespace redproof::mutants
