#include "mutants/driver/find/shape.h"

#include <algorithm>

#include "mutants/driver/find/convert.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

bool is_scalar(CXType type) {
  CXTypeKind const kind = clang_getCanonicalType(type).kind;
  return (kind >= CXType_FirstBuiltin && kind <= CXType_LastBuiltin && kind != CXType_Dependent) || kind == CXType_Pointer ||
         kind == CXType_Enum || kind == CXType_MemberPointer || kind == CXType_Vector || kind == CXType_ExtVector;
}

bool has_this(CXCursor cursor) {
  CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_FunctionTemplate) kind = clang_getTemplateCursorKind(cursor);
  if (kind == CXCursor_CXXMethod) return clang_CXXMethod_isStatic(cursor) == 0;
  return kind == CXCursor_Constructor || kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
}

struct Found {
  CXFile file;
  FunctionShape* shape;
  bool has_try_block = false;
  bool is_kernel = false, has_device = false, has_host = false;  // attributes of CUDA
};

void add_parameter(CXCursor cursor, FunctionShape& shape) {
  std::string const name = text_of(clang_getCursorSpelling(cursor));
  if (name.empty()) return;
  CXType const type = clang_getCursorType(cursor);
  bool const pack = text_of(clang_getTypeSpelling(type)).ends_with("...");
  bool const copied = !pack && is_scalar(type);
  shape.parameters.push_back({name, copied, !copied && type.kind != CXType_LValueReference, pack});
}

CXChildVisitResult visit_part(CXCursor cursor, CXCursor, CXClientData data) {
  Found& found = *static_cast<Found*>(data);
  CXCursorKind const kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_ParmDecl) add_parameter(cursor, *found.shape);
  if (kind == CXCursor_CXXTryStmt) found.has_try_block = true;
  if (kind == CXCursor_CUDAGlobalAttr) found.is_kernel = true;
  if (kind == CXCursor_CUDADeviceAttr) found.has_device = true;
  if (kind == CXCursor_CUDAHostAttr) found.has_host = true;
  if (kind == CXCursor_CompoundStmt)
    if (auto const range = written_range(cursor, found.file)) found.shape->body = *range;
  return CXChildVisit_Continue;
}

bool has_token(std::string_view text, std::initializer_list<std::string_view> names) {
  auto const tokens = token_texts(text);
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](std::string_view token) { return std::find(names.begin(), names.end(), token) != names.end(); });
}

// A type that can be written again inside the function.
std::string result_of(CXCursor cursor) {
  std::string result = text_of(clang_getTypeSpelling(clang_getCursorResultType(cursor)));
  bool const deduced = has_token(result, {"auto", "decltype", "type-parameter"});
  bool const unnamed = result.find("(anonymous") != std::string::npos || result.find("(unnamed") != std::string::npos ||
                       result.find("(lambda") != std::string::npos;
  return deduced || unnamed ? std::string() : result;
}

std::string why_no_body(const Found& found, std::string_view head, std::string_view body) {
  if (found.has_try_block) return "its body is a try block";
  if (body.empty() || body.front() != '{' || body.back() != '}') return "its body is not written as a block of its own";
  if (has_token(head, {"consteval"})) return "it runs only in the compiler";
  if (has_token(body, {"co_await", "co_return", "co_yield"})) return "it is a coroutine";
  return {};
}

// What a lambda in its place would change: names that speak of the function itself, its frame, its target.
bool needs_own_frame(std::string_view head, std::string_view body) {
  return has_token(body, {"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "va_start", "__builtin_va_start", "alloca", "__builtin_alloca",
                          "__builtin_return_address", "__builtin_frame_address"}) ||
         has_token(head, {"target", "__target__"});
}

}  // namespace

FunctionShape shape_of(CXCursor cursor, CXFile file, std::string_view source) {
  FunctionShape shape;
  Found found{file, &shape};
  clang_visitChildren(cursor, visit_part, &found);
  auto const whole = written_range(cursor, file);
  if (!whole || shape.body.end > source.size()) shape.body = {};
  std::string_view const body = source.substr(shape.body.begin, shape.body.end - shape.body.begin);
  std::string_view const head =
      whole && shape.body.begin > whole->begin ? source.substr(whole->begin, shape.body.begin - whole->begin) : std::string_view();
  shape.why_not = why_no_body(found, head, body);
  shape.has_this = has_this(cursor);
  shape.is_constexpr = has_token(head, {"constexpr", "consteval"});
  shape.is_void = clang_getCursorResultType(cursor).kind == CXType_Void;
  CXCursorKind const kind = clang_getCursorKind(cursor);
  shape.is_main = kind == CXCursor_FunctionDecl && text_of(clang_getCursorSpelling(cursor)) == "main";
  bool const moves =
      std::any_of(shape.parameters.begin(), shape.parameters.end(), [](const Parameter& parameter) { return parameter.is_moved; });
  shape.on_device = found.is_kernel || found.has_device;
  shape.on_host = !shape.on_device || (found.has_host && !found.is_kernel);
  // On a device what is returned by its name is small, and copied.
  if ((!moves || shape.on_device) && !needs_own_frame(head, body)) shape.result = result_of(cursor);
  return shape;
}

}  // namespace redproof::mutants
