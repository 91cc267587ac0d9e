#include "mutants/driver/schemata/shared.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "mutants/driver/find/match.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

// The statements of the outermost block, in their order.
std::vector<const Node*> outermost(const Scope& scope) {
  std::vector<const Node*> statements;
  for (const Node& node : scope.nodes) {
    if (node.kind != NodeKind::declaration_statement || node.from_macro || node.parent < 0) continue;
    const Node& around = scope.nodes[static_cast<std::size_t>(node.parent)];
    if (around.kind == NodeKind::compound && around.range == scope.shape.body) statements.push_back(&node);
  }
  std::sort(statements.begin(), statements.end(), [](const Node* one, const Node* other) { return one->range < other->range; });
  return statements;
}

bool has(const std::vector<std::string_view>& tokens, std::string_view token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// Known when it is compiled, so that it may stand earlier: `const int n = 4 * m;` where m is.
bool is_constant(std::string_view text, const std::set<std::string_view>& known) {
  auto const tokens = token_texts(text);
  if (tokens.empty()) return false;
  if (tokens[0] == "using" || tokens[0] == "typedef" || has(tokens, "constexpr")) return true;
  if (tokens[0] != "const") return false;
  bool behind = false;
  for (const Token& token : lex(text)) {
    std::string_view const word = text.substr(token.begin, token.end - token.begin);
    if (behind && token.kind == TokenKind::name && !known.contains(word)) return false;
    behind = behind || word == "=";
  }
  return behind;
}

// Of `TYPE NAME = ...`: the name before the first `=`, `[`, `(` or `{`.
std::string_view declared_name(std::string_view text) {
  std::string_view name;
  for (const Token& token : lex(text)) {
    std::string_view const word = text.substr(token.begin, token.end - token.begin);
    if (word == "=" || word == "[" || word == "(" || word == "{" || word == ";") break;
    if (token.kind == TokenKind::name) name = word;
  }
  return name;
}

std::string blank(std::string_view text) {
  std::string blanks(text);
  std::replace_if(blanks.begin(), blanks.end(), [](char c) { return c != '\n' && c != '\r'; }, ' ');
  return blanks;
}

}  // namespace

SharedMemory shared_memory(const Scope& scope, const FileSyntax& file) {
  Site const site{&file, &scope, scope.shape.body};
  SharedMemory all, found;
  std::set<std::string_view> known;
  for (const Node* statement : outermost(scope)) {
    Range const range = statement_range(site, *statement);
    std::string_view const text = site.text(range);
    bool const shared = has(token_texts(text), "__shared__");
    if (!shared && !is_constant(text, known)) continue;
    known.insert(declared_name(text));
    all.declarations.append(text).append(" ");
    all.moved.push_back({range, blank(text)});
    all.decided_by.push_back(range);
    if (!shared) continue;
    all.blanks.push_back({range, blank(text)});
    found = all;  // constants behind the last of them stay where they are
  }
  return found;
}

}  // namespace redproof::mutants
