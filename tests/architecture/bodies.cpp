#include <algorithm>
#include <regex>

#include "tests/architecture/source_text.h"
#include "tests/architecture/tree.h"

namespace redproof::tests {

namespace {

enum class Brace { scope, body, initializer };

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.size(), text.find_first_not_of(" \t\r\n")));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

std::string erase_all(std::string text, std::regex const& what) {
  for (std::string shorter; (shorter = std::regex_replace(text, what, " ")) != text;) text = shorter;
  return text;
}

// A declaration without what may hold parentheses and yet is no parameter list: attributes, alignas, decltype, template arguments.
std::string bare(std::string const& declaration) {
  static std::regex const attributes(
      R"(\[\[[^\]]*\]\]|\b(alignas|decltype|__attribute__|__launch_bounds__)\s*(\((?:[^()]|\([^()]*\))*\)))");
  static std::regex const arguments(R"(<[^<>;{}]*>)");
  return trimmed(erase_all(erase_all(declaration, attributes), arguments));
}

bool is_lambda_introducer(std::string const& declaration) {
  std::size_t const open = declaration.rfind('[');
  if (open == std::string::npos) return false;
  std::string const before = trimmed(declaration.substr(0, open));
  return before.empty() || before.back() == '=' || before.back() == '(' || before.back() == ',' || before.ends_with("return");
}

// An `=` that gives a value, outside parentheses, and no comparison or operator's name.
bool assigns(std::string const& declaration) {
  static std::regex const operators(R"(operator\s*[^\w\s(]+)");
  std::string const text = std::regex_replace(declaration, operators, "operator");
  int depth = 0;
  for (char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '=' && depth == 0) return true;
  }
  return false;
}

// What a brace opens, from the text between it and the statement before.
Brace classify(std::string const& text) {
  static std::regex const type(R"(\b(struct|class|union|enum|namespace)\b)");
  static std::regex const lambda(R"(=\s*\[[^\]]*\]\s*\()");
  static std::regex const constraint(R"(\b(concept\b|requires\s*\([^()]*\)$))");
  std::string const declaration = bare(text);
  if (declaration.empty() || declaration == "extern" || declaration.starts_with("extern \"")) return Brace::scope;
  std::size_t const close = declaration.rfind(')');
  if (std::regex_search(close == std::string::npos ? declaration : declaration.substr(close), type)) return Brace::scope;
  if (std::regex_search(declaration, constraint)) return Brace::initializer;
  if (declaration.back() == ')' || std::regex_search(declaration, lambda)) return Brace::body;
  if (declaration.back() == ']') return is_lambda_introducer(declaration) ? Brace::body : Brace::initializer;
  bool const balanced = std::count(declaration.begin(), declaration.end(), '(') == std::count(declaration.begin(), declaration.end(), ')');
  return close != std::string::npos && balanced && !assigns(declaration) ? Brace::body : Brace::initializer;
}

std::size_t closing_brace(std::string const& code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    depth += code[i] == '{' ? 1 : code[i] == '}' ? -1 : 0;
    if (depth == 0) return i;
  }
  return code.size() - 1;
}

// A constructor's list may initialise with braces: its body is the last of the braces that follow each other.
std::size_t end_of_body(std::string const& code, std::size_t open) {
  std::size_t close = closing_brace(code, open);
  for (;;) {
    std::size_t const next = code.find_first_not_of(" \t\r\n", close + 1);
    if (next == std::string::npos || (code[next] != ',' && code[next] != '{')) return close;
    std::size_t const again = code.find('{', next);
    if (again == std::string::npos) return close;
    close = closing_brace(code, again);
  }
}

}  // namespace

std::vector<Body> bodies_of(std::string_view text) {
  std::string const code = code_without_directives(text);
  std::vector<Body> out;
  std::size_t begin = 0;  // of the declaration that is being read
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == ';' || code[i] == '}') begin = i + 1;
    if (code[i] != '{') continue;
    std::string const declaration = code.substr(begin, i - begin);
    Brace const brace = classify(declaration);
    if (brace == Brace::scope) {
      begin = i + 1;
      continue;
    }
    std::size_t const close = brace == Brace::body ? end_of_body(code, i) : closing_brace(code, i);
    if (brace == Brace::body) {
      std::string const statements = code.substr(i, close - i);
      int const count = static_cast<int>(std::count(statements.begin(), statements.end(), ';'));
      out.push_back({line_of(code, i), line_of(code, close), count, trimmed(std::regex_replace(declaration, std::regex(R"(\s+)"), " "))});
      begin = close + 1;
    }
    i = close;
  }
  return out;
}

}  // namespace redproof::tests
