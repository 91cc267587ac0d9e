#include "mutants/driver/find/convert.h"

#include <algorithm>

#include "mutants/driver/find/constant.h"
#include "mutants/driver/find/facts.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

struct Place {
  CXFile file = nullptr;
  unsigned offset = 0;
};

// Where a location is written: the argument of a macro at its own place, the body of a macro at the place of its use.
Place place_of(CXSourceLocation location) {
  Place place;
  clang_getFileLocation(location, &place.file, nullptr, nullptr, &place.offset);
  return place;
}

std::optional<Range> range_of(CXCursor cursor, CXFile file) {
  CXSourceRange const extent = clang_getCursorExtent(cursor);
  Place const begin = place_of(clang_getRangeStart(extent));
  Place const end = place_of(clang_getRangeEnd(extent));
  if (begin.file == nullptr || clang_File_isEqual(begin.file, file) == 0 || clang_File_isEqual(end.file, file) == 0) return std::nullopt;
  if (begin.offset >= end.offset) return std::nullopt;
  return Range{begin.offset, end.offset};
}

NodeKind statement_kind(CXCursorKind kind) {
  switch (kind) {
    case CXCursor_CompoundStmt:
      return NodeKind::compound;
    case CXCursor_IfStmt:
      return NodeKind::if_statement;
    case CXCursor_WhileStmt:
    case CXCursor_CXXForRangeStmt:
      return NodeKind::loop;
    case CXCursor_ForStmt:
      return NodeKind::for_loop;
    case CXCursor_DoStmt:
      return NodeKind::do_loop;
    case CXCursor_SwitchStmt:
      return NodeKind::switch_statement;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
      return NodeKind::label;
    case CXCursor_DeclStmt:
      return NodeKind::declaration_statement;
    default:
      return NodeKind::other_statement;
  }
}

NodeKind kind_of(CXCursorKind kind) {
  switch (kind) {
    case CXCursor_CallExpr:
      return NodeKind::call;
    case CXCursor_InitListExpr:
      return NodeKind::braced_list;
    case CXCursor_ConditionalOperator:
      return NodeKind::conditional;
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_StringLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_CXXNullPtrLiteralExpr:
      return NodeKind::literal;
    case CXCursor_VarDecl:
    case CXCursor_FieldDecl:
    case CXCursor_ParmDecl:
      return NodeKind::declaration;
    default:
      break;
  }
  if (clang_isExpression(kind) != 0) return NodeKind::expression;
  return clang_isStatement(kind) != 0 ? statement_kind(kind) : NodeKind::other;
}

struct Builder {
  CXFile file;
  std::string_view source;
  std::vector<Node>* nodes;
  int parent;
  bool constant;
};

void add_arguments(CXCursor cursor, CXFile file, Node& node) {
  for (int i = 0; i < clang_Cursor_getNumArguments(cursor); ++i) {
    auto const range = range_of(clang_Cursor_getArgument(cursor, static_cast<unsigned>(i)), file);
    // A default argument has no place in the call.
    if (range && range->begin >= node.range.begin && range->end <= node.range.end) node.arguments.push_back(*range);
  }
}

int add_node(CXCursor cursor, Range range, const Builder& builder) {
  Node node;
  node.kind = kind_of(clang_getCursorKind(cursor));
  node.range = range;
  node.parent = builder.parent;
  if (node.kind == NodeKind::declaration) node.name_at = place_of(clang_getCursorLocation(cursor)).offset;
  if (node.kind == NodeKind::call) add_arguments(cursor, builder.file, node);
  add_facts(cursor, node);
  node.from_macro = is_from_macro(cursor, builder.source.substr(range.begin, range.end - range.begin));
  node.is_constant = builder.constant;
  builder.nodes->push_back(std::move(node));
  int const index = static_cast<int>(builder.nodes->size()) - 1;
  if (builder.parent >= 0) {
    Node& parent = (*builder.nodes)[static_cast<std::size_t>(builder.parent)];
    parent.children.push_back(index);
    if (parent.kind == NodeKind::braced_list) parent.arguments.push_back(range);
  }
  return index;
}

CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
  // What a macro's body holds has no range of its own, but the arguments inside it have.
  Builder inner = *static_cast<Builder*>(data);
  inner.constant = inner.constant || (inner.parent >= 0 && is_constant_below(parent, cursor, inner.source));
  if (auto const range = range_of(cursor, inner.file)) inner.parent = add_node(cursor, *range, inner);
  clang_visitChildren(cursor, visit, &inner);
  return CXChildVisit_Continue;
}

bool is_function(CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
         kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

bool is_record(CXCursorKind kind) {
  return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl ||
         kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

std::optional<ScopeKind> scope_kind(CXCursor cursor) {
  CXCursorKind const kind = clang_getCursorKind(cursor);
  bool const defined = clang_isCursorDefinition(cursor) != 0;
  if (is_function(kind) && defined) return ScopeKind::function;
  if (is_record(kind) && defined) return ScopeKind::record;
  if (kind == CXCursor_VarDecl && defined) return ScopeKind::variable;
  return std::nullopt;
}

// Names outwards, until the translation unit; unnamed namespaces and records add nothing.
void name_scope(CXCursor cursor, Scope& scope) {
  std::string name = text_of(clang_getCursorSpelling(cursor));
  scope.name = scope.symbol = name;
  bool in_records = true;
  for (CXCursor outer = clang_getCursorSemanticParent(cursor);; outer = clang_getCursorSemanticParent(outer)) {
    CXCursorKind const kind = clang_getCursorKind(outer);
    if (clang_Cursor_isNull(outer) != 0 || clang_isTranslationUnit(kind) != 0) return;
    in_records = in_records && is_record(kind);
    std::string const part = clang_Cursor_isAnonymous(outer) != 0 ? std::string() : text_of(clang_getCursorSpelling(outer));
    if (part.empty()) continue;
    scope.name = part + "::" + scope.name;
    if (in_records) scope.symbol = part + "::" + scope.symbol;
  }
}

TypeFacts result_facts(CXCursor function) {
  CXType const type = clang_getCursorResultType(function);
  bool const deduced = type.kind == CXType_Auto || clang_getPointeeType(type).kind == CXType_Auto;
  return deduced ? TypeFacts{} : type_facts(type);
}

}  // namespace

std::string text_of(CXString string) {
  const char* const text = clang_getCString(string);
  std::string copy = text == nullptr ? "" : text;
  clang_disposeString(string);
  return copy;
}

std::optional<Range> written_range(CXCursor cursor, CXFile file) { return range_of(cursor, file); }

std::optional<Scope> scope_of(CXCursor cursor, std::string_view source) {
  auto const kind = scope_kind(cursor);
  if (!kind) return std::nullopt;
  Scope scope;
  scope.kind = *kind;
  name_scope(cursor, scope);
  if (scope.name.empty()) return std::nullopt;
  if (*kind == ScopeKind::function) {
    std::string const display = text_of(clang_getCursorDisplayName(cursor));
    auto const open = display.find('(', display.starts_with("operator()") ? 10 : 0);
    if (open != std::string::npos) scope.signature = display.substr(open);
    scope.result = result_facts(cursor);
  }
  scope.line = line_of(source, std::min<std::size_t>(place_of(clang_getCursorLocation(cursor)).offset, source.size()));
  return scope;
}

std::vector<Node> convert(CXCursor cursor, CXFile file) {
  std::vector<Node> nodes;
  std::size_t size = 0;
  const char* const text = clang_getFileContents(clang_Cursor_getTranslationUnit(cursor), file, &size);
  Builder builder{file, std::string_view(text, text == nullptr ? 0 : size), &nodes, -1, false};
  visit(cursor, cursor, &builder);
  return nodes;
}

}  // namespace redproof::mutants
