// The functions of libclang that are used, loaded when a source is first parsed: what parses nothing runs where it is not installed.
// Included inside this folder only.
#pragma once
#include <clang-c/Index.h>

namespace redproof::mutants {

// Names the library's file, where it is another than those that are looked for.
inline constexpr const char* libclang_variable = "REDPROOF_LIBCLANG";

// Before the first call of any function below. Throws gates::Refusal where the library cannot be had.
void load_libclang();
bool is_libclang_loaded();

// `function` is where the address of libclang's function `name` has to be put.
void remember_to_load(const char* name, void* function);

// Stands in this namespace for the function of the same name.
template <typename Function>
class Loaded;
template <typename Result, typename... Arguments>
class Loaded<Result(Arguments...)> {
 public:
  explicit Loaded(const char* name) { remember_to_load(name, &function_); }
  Result operator()(Arguments... arguments) const { return function_(arguments...); }
  const void* address() const { return reinterpret_cast<const void*>(function_); }

 private:
  Result (*function_)(Arguments...) = nullptr;
};

#define REDPROOF_LIBCLANG(name) inline Loaded<decltype(::clang_##name)> clang_##name("clang_" #name)
REDPROOF_LIBCLANG(CXXConstructor_isDefaultConstructor);
REDPROOF_LIBCLANG(CXXMethod_isConst);
REDPROOF_LIBCLANG(CXXMethod_isStatic);
REDPROOF_LIBCLANG(Cursor_getArgument);
REDPROOF_LIBCLANG(Cursor_getNumArguments);
REDPROOF_LIBCLANG(Cursor_getTranslationUnit);
REDPROOF_LIBCLANG(Cursor_getVarDeclInitializer);
REDPROOF_LIBCLANG(Cursor_isAnonymous);
REDPROOF_LIBCLANG(Cursor_isInlineNamespace);
REDPROOF_LIBCLANG(Cursor_isNull);
REDPROOF_LIBCLANG(File_isEqual);
REDPROOF_LIBCLANG(Type_getSizeOf);
REDPROOF_LIBCLANG(createIndex);
REDPROOF_LIBCLANG(disposeDiagnostic);
REDPROOF_LIBCLANG(disposeIndex);
REDPROOF_LIBCLANG(disposeString);
REDPROOF_LIBCLANG(disposeTranslationUnit);
REDPROOF_LIBCLANG(equalCursors);
REDPROOF_LIBCLANG(equalLocations);
REDPROOF_LIBCLANG(equalTypes);
REDPROOF_LIBCLANG(formatDiagnostic);
REDPROOF_LIBCLANG(getBinaryOperatorKindSpelling);
REDPROOF_LIBCLANG(getCString);
REDPROOF_LIBCLANG(getCanonicalType);
REDPROOF_LIBCLANG(getClangVersion);
REDPROOF_LIBCLANG(getCursorBinaryOperatorKind);
REDPROOF_LIBCLANG(getCursorDisplayName);
REDPROOF_LIBCLANG(getCursorExtent);
REDPROOF_LIBCLANG(getCursorKind);
REDPROOF_LIBCLANG(getCursorLocation);
REDPROOF_LIBCLANG(getCursorReferenced);
REDPROOF_LIBCLANG(getCursorResultType);
REDPROOF_LIBCLANG(getCursorSemanticParent);
REDPROOF_LIBCLANG(getCursorSpelling);
REDPROOF_LIBCLANG(getCursorType);
REDPROOF_LIBCLANG(getCursorUnaryOperatorKind);
REDPROOF_LIBCLANG(getDiagnostic);
REDPROOF_LIBCLANG(getDiagnosticSeverity);
REDPROOF_LIBCLANG(getExpansionLocation);
REDPROOF_LIBCLANG(getFileContents);
REDPROOF_LIBCLANG(getFileLocation);
REDPROOF_LIBCLANG(getFileName);
REDPROOF_LIBCLANG(getLocationForOffset);
REDPROOF_LIBCLANG(getNonReferenceType);
REDPROOF_LIBCLANG(getNumDiagnostics);
REDPROOF_LIBCLANG(getPointeeType);
REDPROOF_LIBCLANG(getRangeEnd);
REDPROOF_LIBCLANG(getRangeStart);
REDPROOF_LIBCLANG(getTemplateCursorKind);
REDPROOF_LIBCLANG(getTranslationUnitCursor);
REDPROOF_LIBCLANG(getTypeDeclaration);
REDPROOF_LIBCLANG(getTypeSpelling);
REDPROOF_LIBCLANG(getUnaryOperatorKindSpelling);
REDPROOF_LIBCLANG(getUnqualifiedType);
REDPROOF_LIBCLANG(isAttribute);
REDPROOF_LIBCLANG(isConstQualifiedType);
REDPROOF_LIBCLANG(isCursorDefinition);
REDPROOF_LIBCLANG(isExpression);
REDPROOF_LIBCLANG(isStatement);
REDPROOF_LIBCLANG(isTranslationUnit);
REDPROOF_LIBCLANG(parseTranslationUnit2FullArgv);
REDPROOF_LIBCLANG(saveTranslationUnit);
REDPROOF_LIBCLANG(visitChildren);
#undef REDPROOF_LIBCLANG

}  // namespace redproof::mutants
