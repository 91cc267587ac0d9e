#include "mutants/driver/find/facts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "mutants/driver/find/convert.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

TypeClass class_of(CXTypeKind kind) {
  switch (kind) {
    case CXType_Invalid:
      return TypeClass::none;
    case CXType_Void:
      return TypeClass::void_type;
    case CXType_Bool:
      return TypeClass::boolean;
    case CXType_Enum:
      return TypeClass::enumeration;
    case CXType_Pointer:
    case CXType_NullPtr:
      return TypeClass::pointer;
    case CXType_Record:
      return TypeClass::record;
    case CXType_Dependent:
    case CXType_Unexposed:
      return TypeClass::dependent;
    case CXType_Float16:
    case CXType_Half:
    case CXType_BFloat16:
      return TypeClass::floating;
    default:
      break;
  }
  if (kind >= CXType_Float && kind <= CXType_LongDouble) return TypeClass::floating;
  if (kind >= CXType_Char_U && kind <= CXType_UInt128) return TypeClass::unsigned_integer;
  if (kind >= CXType_Char_S && kind <= CXType_Int128) return TypeClass::signed_integer;
  return TypeClass::other;
}

Form cast_or_statement_form(CXCursorKind kind) {
  switch (kind) {
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CStyleCastExpr:
      return Form::cast;
    case CXCursor_UnexposedExpr:
      return Form::implicit;
    case CXCursor_CXXThrowExpr:
      return Form::throw_expression;
    case CXCursor_ReturnStmt:
      return Form::return_statement;
    case CXCursor_BreakStmt:
      return Form::break_statement;
    case CXCursor_ContinueStmt:
      return Form::continue_statement;
    case CXCursor_CXXForRangeStmt:
      return Form::range_for;
    case CXCursor_WhileStmt:
      return Form::while_loop;
    default:
      return Form::other;
  }
}

bool is_construction(CXCursor call) {
  CXCursorKind const kind = clang_getCursorKind(clang_getCursorReferenced(call));
  return kind == CXCursor_Constructor || text_of(clang_getCursorSpelling(call)).empty();
}

Form form_of(CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_BinaryOperator:
      return text_of(clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(cursor))) == "=" ? Form::assignment
                                                                                                            : Form::binary;
    case CXCursor_CompoundAssignOperator:
      return Form::assignment;
    case CXCursor_UnaryOperator:
      return Form::unary;
    case CXCursor_ArraySubscriptExpr:
      return Form::subscript;
    case CXCursor_DeclRefExpr:
      return Form::name;
    case CXCursor_MemberRefExpr:
      return Form::member;
    case CXCursor_CallExpr:
      return is_construction(cursor) ? Form::construction : Form::other;
    default:
      return cast_or_statement_form(clang_getCursorKind(cursor));
  }
}

std::string operator_of(CXCursor cursor, Form form) {
  if (form == Form::unary) return text_of(clang_getUnaryOperatorKindSpelling(clang_getCursorUnaryOperatorKind(cursor)));
  if (form == Form::binary || form == Form::assignment)
    return text_of(clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(cursor)));
  std::string const spelling = text_of(clang_getCursorSpelling(cursor));
  bool const overloaded = clang_getCursorKind(cursor) == CXCursor_CallExpr && spelling.starts_with("operator");
  return overloaded ? spelling.substr(8) : std::string();
}

std::string qualified_name(CXCursor declaration) {
  std::string name = text_of(clang_getCursorSpelling(declaration));
  if (name.empty()) return name;
  for (CXCursor outer = clang_getCursorSemanticParent(declaration); clang_Cursor_isNull(outer) == 0;
       outer = clang_getCursorSemanticParent(outer)) {
    if (clang_isTranslationUnit(clang_getCursorKind(outer)) != 0) break;
    bool const hidden = clang_Cursor_isAnonymous(outer) != 0 || clang_Cursor_isInlineNamespace(outer) != 0;
    std::string const part = hidden ? std::string() : text_of(clang_getCursorSpelling(outer));
    if (!part.empty()) name = part + "::" + name;
  }
  return name;
}

struct Siblings {
  CXCursor self;
  CXType type;
  std::vector<std::string>* names;
};

CXChildVisitResult add_sibling(CXCursor cursor, CXCursor, CXClientData data) {
  const Siblings& found = *static_cast<Siblings*>(data);
  bool const alike = clang_getCursorKind(cursor) == clang_getCursorKind(found.self) && clang_equalCursors(cursor, found.self) == 0 &&
                     clang_equalTypes(clang_getCanonicalType(clang_getCursorType(cursor)), found.type) != 0;
  std::string name = alike ? text_of(clang_getCursorSpelling(cursor)) : std::string();
  if (!name.empty()) found.names->push_back(std::move(name));
  return CXChildVisit_Continue;
}

void add_siblings(CXCursor declaration, std::vector<std::string>& names) {
  CXCursorKind const kind = clang_getCursorKind(declaration);
  if (kind != CXCursor_FieldDecl && kind != CXCursor_EnumConstantDecl) return;
  Siblings found{declaration, clang_getCanonicalType(clang_getCursorType(declaration)), &names};
  clang_visitChildren(clang_getCursorSemanticParent(declaration), add_sibling, &found);
}

CXChildVisitResult look_for_default(CXCursor cursor, CXCursor, CXClientData data) {
  auto& [constructors, defaults] = *static_cast<std::pair<int, int>*>(data);
  CXCursorKind const kind = clang_getCursorKind(cursor);
  bool const reference = kind == CXCursor_FieldDecl && type_facts(clang_getCursorType(cursor)).is_reference;
  if (kind == CXCursor_Constructor || reference) ++constructors;
  if (kind == CXCursor_Constructor && clang_CXXConstructor_isDefaultConstructor(cursor) != 0) ++defaults;
  return CXChildVisit_Continue;
}

bool is_default_made(CXType type) {
  std::string const spelling = type_facts(type).spelling;
  static constexpr std::array<std::string_view, 14> known = {
      "std::vector<",    "std::basic_string<", "std::basic_string_view<", "std::optional<",   "std::map<",      "std::set<",
      "std::unordered_", "std::deque<",        "std::unique_ptr<",        "std::shared_ptr<", "std::function<", "std::filesystem::",
      "std::__cxx11::",  "std::array<"};
  if (std::any_of(known.begin(), known.end(), [&](std::string_view start) { return spelling.starts_with(start); })) return true;
  if (spelling.find('<') != std::string::npos) return false;
  std::pair<int, int> found{0, 0};
  clang_visitChildren(clang_getTypeDeclaration(clang_getCanonicalType(type)), look_for_default, &found);
  return found.first == 0 || found.second > 0;
}

CXChildVisitResult take_first_type(CXCursor cursor, CXCursor, CXClientData data) {
  *static_cast<CXType*>(data) = clang_getCursorType(cursor);
  return CXChildVisit_Break;
}

// A return statement has the type of what it returns, as converted.
void add_returned_type(CXCursor cursor, Node& node) {
  CXType type{};
  if (clang_visitChildren(cursor, take_first_type, &type) == 0) return;
  node.type = type_facts(type);
  node.has_default = node.type.type_class == TypeClass::record && is_default_made(type);
}

// `[[noreturn]]`, or a macro that is called so; what GNU writes is part of the type.
CXChildVisitResult look_for_noreturn(CXCursor cursor, CXCursor, CXClientData data) {
  if (clang_isAttribute(clang_getCursorKind(cursor)) == 0) return CXChildVisit_Continue;
  CXSourceRange const extent = clang_getCursorExtent(cursor);
  CXFile file = nullptr;
  unsigned begin = 0, end = 0;
  clang_getFileLocation(clang_getRangeStart(extent), &file, nullptr, nullptr, &begin);
  clang_getFileLocation(clang_getRangeEnd(extent), nullptr, nullptr, nullptr, &end);
  std::size_t size = 0;
  const char* const text = file == nullptr ? nullptr : clang_getFileContents(clang_Cursor_getTranslationUnit(cursor), file, &size);
  if (text == nullptr || begin >= end || end > size) return CXChildVisit_Continue;
  std::string_view const written = std::string_view(text, size).substr(begin, end - begin);
  bool const found = written.find("noreturn") != std::string_view::npos || written.find("NORETURN") != std::string_view::npos;
  *static_cast<bool*>(data) = found;
  return found ? CXChildVisit_Break : CXChildVisit_Continue;
}

void add_called(CXCursor declaration, Node& node) {
  node.keeps_object = clang_CXXMethod_isConst(declaration) != 0 || clang_CXXMethod_isStatic(declaration) != 0;
  node.never_returns = text_of(clang_getTypeSpelling(clang_getCursorType(declaration))).find("noreturn") != std::string::npos;
  if (!node.never_returns) clang_visitChildren(declaration, look_for_noreturn, &node.never_returns);
}

struct Begin {
  bool in_macro = false;
  bool in_body = false;
};

// Where in a macro a cursor begins. Of its end libclang says too little to tell.
Begin first_token_of(CXCursor cursor) {
  CXSourceLocation const location = clang_getRangeStart(clang_getCursorExtent(cursor));
  CXFile file = nullptr;
  unsigned offset = 0, use = 0;
  clang_getFileLocation(location, &file, nullptr, nullptr, &offset);
  clang_getExpansionLocation(location, nullptr, nullptr, nullptr, &use);
  if (file == nullptr) return {};
  CXTranslationUnit const unit = clang_Cursor_getTranslationUnit(cursor);
  bool const in_macro = clang_equalLocations(location, clang_getLocationForOffset(unit, file, offset)) == 0;
  return {in_macro, in_macro && use == offset};
}

// `NAME` or `NAME(...)` and nothing behind it.
bool is_one_use(std::string_view text) {
  auto const tokens = token_texts(text);
  int depth = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (i == 1 && tokens[i] != "(") return false;
    if (tokens[i] == "(") ++depth;
    if (tokens[i] == ")" && --depth == 0) return i + 1 == tokens.size();
  }
  return true;
}

bool is_one_argument(std::string_view text) {
  int depth = 0;
  for (std::string_view const token : token_texts(text)) {
    if (token == "(" || token == "[" || token == "{") ++depth;
    if (token == ")" || token == "]" || token == "}") --depth;
    if (depth < 0 || (depth == 0 && token == ",")) return false;
  }
  return depth == 0;
}

}  // namespace

TypeFacts type_facts(CXType type) {
  TypeFacts facts;
  CXType canonical = clang_getCanonicalType(type);
  if (canonical.kind == CXType_Invalid) return facts;
  facts.is_reference = canonical.kind == CXType_LValueReference || canonical.kind == CXType_RValueReference;
  canonical = clang_getNonReferenceType(canonical);
  facts.type_class = class_of(canonical.kind);
  facts.is_const = clang_isConstQualifiedType(canonical) != 0;
  facts.spelling = text_of(clang_getTypeSpelling(clang_getUnqualifiedType(canonical)));
  bool const number = facts.type_class == TypeClass::signed_integer || facts.type_class == TypeClass::unsigned_integer ||
                      facts.type_class == TypeClass::floating;
  long long const bytes = number ? clang_Type_getSizeOf(canonical) : 0;
  if (bytes > 0) facts.bits = static_cast<unsigned>(bytes) * 8;
  return facts;
}

bool is_from_macro(CXCursor cursor, std::string_view text) {
  Begin const begin = first_token_of(cursor);
  if (begin.in_body) return is_one_use(text);
  // From one argument of a macro to another, or out of it: the body puts something between them.
  return begin.in_macro && !is_one_argument(text);
}

void add_facts(CXCursor cursor, Node& node) {
  node.form = form_of(cursor);
  node.op = operator_of(cursor, node.form);
  node.type = type_facts(clang_getCursorType(cursor));
  bool const names =
      node.kind == NodeKind::call || node.kind == NodeKind::declaration || node.form == Form::name || node.form == Form::member;
  if (node.form == Form::return_statement) add_returned_type(cursor, node);
  if (!names) return;
  node.name = text_of(clang_getCursorSpelling(cursor));
  CXCursor const declaration = clang_getCursorReferenced(cursor);
  bool const known = clang_Cursor_isNull(declaration) == 0;
  node.qualified = known ? qualified_name(declaration) : node.name;
  if (known && node.kind == NodeKind::call) add_called(declaration, node);
  if (known && (node.form == Form::name || node.form == Form::member)) add_siblings(declaration, node.siblings);
}

}  // namespace redproof::mutants
