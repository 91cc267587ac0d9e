#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace redproof::tests {

// The text with comments, raw strings and (unless kept) the contents of strings and characters blanked. Offsets and lines stay.
enum class Strings { blanked, kept };
std::string code_only(std::string_view text, Strings strings = Strings::blanked);

// code_only without preprocessor directives either.
std::string code_without_directives(std::string_view text);

// A preprocessor directive, without comments. Directives that a backslash carries on are known by their first line.
struct Directive {
  int line;
  std::string text;
  std::string name;  // "include", "define", ...
  std::string rest;
};

std::vector<Directive> directives_of(std::string_view text);

struct Include {
  int line;
  std::string directive;  // as written, without comments
  std::string target;     // what stands between the quotes or brackets; empty for a macro
  bool quoted;
};

std::vector<Include> includes_of(std::string_view text);

// A function's body, from its opening brace to the closing one. A lambda inside a function belongs to that function.
struct Body {
  int first_line;
  int last_line;
  int statements;
  std::string signature;
};

std::vector<Body> bodies_of(std::string_view text);

}  // namespace redproof::tests
