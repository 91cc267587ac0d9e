#include "mutants/driver/find/constant.h"

#include <algorithm>
#include <array>
#include <string>

#include "mutants/driver/find/convert.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

std::size_t begin_of(CXCursor cursor) {
  unsigned offset = 0;
  clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), nullptr, nullptr, nullptr, &offset);
  return offset;
}

std::size_t end_of(CXCursor cursor) {
  unsigned offset = 0;
  clang_getFileLocation(clang_getRangeEnd(clang_getCursorExtent(cursor)), nullptr, nullptr, nullptr, &offset);
  return offset;
}

std::size_t name_of(CXCursor declaration) {
  unsigned offset = 0;
  clang_getFileLocation(clang_getCursorLocation(declaration), nullptr, nullptr, nullptr, &offset);
  return offset;
}

std::string_view between(std::string_view source, std::size_t begin, std::size_t end) {
  return begin < end && end <= source.size() ? source.substr(begin, end - begin) : std::string_view();
}

bool has_token(std::string_view text, std::string_view token) {
  auto const tokens = token_texts(text);
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

bool is_wholly_constant(CXCursorKind kind) {
  static constexpr std::array<CXCursorKind, 9> kinds = {
      CXCursor_StaticAssert,  CXCursor_EnumConstantDecl, CXCursor_UnaryExpr,   CXCursor_CXXTypeidExpr,           CXCursor_TypedefDecl,
      CXCursor_TypeAliasDecl, CXCursor_RequiresExpr,     CXCursor_ConceptDecl, CXCursor_NonTypeTemplateParameter};
  return clang_isAttribute(kind) != 0 || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// The initialiser is all of a declaration that is evaluated when the program runs: bounds and template arguments are not.
bool is_constant_in_variable(CXCursor variable, CXCursor child, std::string_view source) {
  std::string_view const head = between(source, begin_of(variable), name_of(variable));
  if (has_token(head, "constexpr") || has_token(head, "constinit")) return true;
  CXCursor const initialiser = clang_Cursor_getVarDeclInitializer(variable);
  if (clang_Cursor_isNull(initialiser) != 0) return true;
  return begin_of(child) < begin_of(initialiser) || end_of(child) > end_of(initialiser);
}

// Of a parameter or a field: what follows `=` or an opening brace.
bool is_constant_in_declaration(CXCursor declaration, CXCursor child, std::string_view source) {
  std::string_view const head = between(source, name_of(declaration), begin_of(child));
  if (has_token(head, "=")) return false;
  return begin_of(child) <= name_of(declaration) || source.substr(begin_of(child), 1) != "{";
}

struct Last {
  std::size_t begin = 0;
};

CXChildVisitResult remember_begin(CXCursor cursor, CXCursor, CXClientData data) {
  static_cast<Last*>(data)->begin = begin_of(cursor);
  return CXChildVisit_Continue;
}

// The operand is the last child; what stands before it belongs to the type.
bool is_in_type_of_cast(CXCursor cast, CXCursor child) {
  Last last;
  clang_visitChildren(cast, remember_begin, &last);
  return begin_of(child) != last.begin;
}

bool is_argument(CXCursor call, CXCursor child) {
  for (int i = 0; i < clang_Cursor_getNumArguments(call); ++i)
    if (clang_equalCursors(clang_Cursor_getArgument(call, static_cast<unsigned>(i)), child) != 0) return true;
  return false;
}

bool is_literal(CXCursor cursor) {
  CXCursorKind const kind = clang_getCursorKind(cursor);
  return kind == CXCursor_IntegerLiteral || kind == CXCursor_CXXBoolLiteralExpr || kind == CXCursor_CharacterLiteral;
}

bool is_function_head(CXCursor function, CXCursor child, std::string_view source) {
  CXCursorKind const kind = clang_getCursorKind(function);
  if (clang_isExpression(clang_getCursorKind(child)) == 0) return false;
  if (kind != CXCursor_Constructor && kind != CXCursor_FunctionTemplate) return true;
  // noexcept(...) stands before a constructor's initialisers.
  std::string_view const head = between(source, name_of(function), begin_of(child));
  auto const tokens = token_texts(head);
  auto const colon = std::find(tokens.rbegin(), tokens.rend(), ":");
  auto const noexcept_at = std::find(tokens.rbegin(), tokens.rend(), "noexcept");
  return colon == tokens.rend() || noexcept_at < colon;
}

bool is_if_constexpr(CXCursor statement, CXCursor child, std::string_view source) {
  if (clang_isExpression(clang_getCursorKind(child)) == 0) return false;
  auto const tokens = token_texts(between(source, begin_of(statement), begin_of(child)));
  return tokens.size() == 3 && tokens[1] == "constexpr";
}

bool is_noexcept_operator(CXCursor cursor, std::string_view source) {
  return clang_getCursorKind(cursor) == CXCursor_UnexposedExpr && between(source, begin_of(cursor), end_of(cursor)).starts_with("noexcept");
}

}  // namespace

bool is_constant_below(CXCursor parent, CXCursor child, std::string_view source) {
  CXCursorKind const kind = clang_getCursorKind(parent);
  CXCursorKind const child_kind = clang_getCursorKind(child);
  if (is_wholly_constant(kind) || is_wholly_constant(child_kind) || is_noexcept_operator(parent, source)) return true;
  bool const expression = clang_isExpression(child_kind) != 0;
  switch (kind) {
    case CXCursor_CaseStmt:
      return expression && between(source, begin_of(parent), begin_of(child)).find(':') == std::string_view::npos;
    case CXCursor_IfStmt:
      return is_if_constexpr(parent, child, source);
    case CXCursor_VarDecl:
      return expression && is_constant_in_variable(parent, child, source);
    case CXCursor_FieldDecl:
    case CXCursor_ParmDecl:
      return expression && is_constant_in_declaration(parent, child, source);
    case CXCursor_DeclRefExpr:
    case CXCursor_TemplateRef:
    case CXCursor_TypeRef:
      return true;
    case CXCursor_MemberRefExpr:
      return expression && begin_of(child) != begin_of(parent);
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CStyleCastExpr:
      return expression && is_in_type_of_cast(parent, child);
    case CXCursor_CallExpr:
      return is_literal(child) && !is_argument(parent, child);
    default:
      break;
  }
  bool const function = kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
                        kind == CXCursor_Destructor || kind == CXCursor_FunctionTemplate || kind == CXCursor_ConversionFunction;
  return function && is_function_head(parent, child, source);
}

}  // namespace redproof::mutants
