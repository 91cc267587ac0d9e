#include "mutants/driver/find/parse.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "mutants/driver/find/convert.h"
#include "mutants/driver/find/cuda.h"
#include "mutants/driver/find/libclang.h"
#include "mutants/driver/find/shape.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

struct FreeIndex {
  void operator()(void* index) const { clang_disposeIndex(index); }
};
struct FreeUnit {
  void operator()(CXTranslationUnitImpl* unit) const { clang_disposeTranslationUnit(unit); }
};
using Unit = std::unique_ptr<CXTranslationUnitImpl, FreeUnit>;

// Clang's own headers (stddef.h, immintrin.h). Distributions put libclang where its own search does not find them.
std::string resource_dir() {
  std::vector<fs::path> places;
  Dl_info info{};
  if (dladdr(clang_createIndex.address(), &info) != 0 && info.dli_fname != nullptr) {
    std::error_code failed;
    fs::path const library = fs::canonical(info.dli_fname, failed);
    if (!failed) places.push_back(library.parent_path() / "clang" / "19");
  }
  places.push_back("/usr/lib/llvm-19/lib/clang/19");
  places.push_back("/usr/lib/clang/19");
  auto const found =
      std::find_if(places.begin(), places.end(), [](const fs::path& place) { return fs::exists(place / "include/stddef.h"); });
  return found == places.end() ? std::string() : found->string();
}

std::vector<std::string> flags_of(const CompileCommand& command) {
  static const std::string resources = resource_dir();
  // The directory of the command is where relative include folders start.
  std::vector<std::string> arguments{"clang++", "-working-directory=" + command.directory.string(), "-w", "-fsyntax-only"};
  if (!resources.empty()) arguments.insert(arguments.end(), {"-resource-dir", resources});
  arguments.insert(arguments.end(), command.flags.begin(), command.flags.end());
  return arguments;
}

std::vector<std::string> arguments_of(const CompileCommand& command, const fs::path& prelude) {
  std::vector<std::string> arguments = flags_of(command);
  if (!prelude.empty()) arguments.insert(arguments.end(), {"-include-pch", prelude.string()});
  arguments.push_back(command.file.string());
  return arguments;
}

Unit unit_of(CXIndex index, const std::vector<std::string>& arguments, unsigned options, CXErrorCode& code) {
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  CXTranslationUnit unit = nullptr;
  code =
      clang_parseTranslationUnit2FullArgv(index, nullptr, pointers.data(), static_cast<int>(pointers.size()), nullptr, 0, options, &unit);
  return Unit(unit);
}

Unit parse_unit(CXIndex index, const ParseRequest& request, std::string& broken) {
  CXErrorCode code = CXError_Success;
  // Incomplete: as if more were to come, so that templates' bodies are not instantiated at the end. No tree of the source depends on that,
  // and it is most of the work where json.hpp is included.
  Unit unit = unit_of(index, arguments_of(request.command, request.prelude), CXTranslationUnit_Incomplete, code);
  if (code != CXError_Success)
    broken = fmt::format("{}: libclang could not parse it (code {})", request.command.file.string(), static_cast<int>(code));
  return unit;
}

// The first error, as clang words it. A tree with errors is partial, so nothing may be concluded from it.
std::string first_error(CXTranslationUnit unit) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    CXDiagnostic const diagnostic = clang_getDiagnostic(unit, i);
    bool const error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    std::string const message = error ? text_of(clang_formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation)) : std::string();
    clang_disposeDiagnostic(diagnostic);
    if (error) return message;
  }
  return {};
}

std::vector<FileSyntax> open_files(const ParseRequest& request) {
  std::vector<FileSyntax> files;
  for (const std::string& path : request.files) files.push_back({path, read_file(request.root / path), {}, {}, request.command.is_cuda});
  return files;
}

void mark_broken(std::vector<FileSyntax>& files, const std::string& why) {
  for (FileSyntax& file : files) file.broken = why;
}

struct Walk {
  const ParseRequest* request;
  std::vector<FileSyntax>* files;
  std::unordered_map<CXFile, FileSyntax*> known;  // null: a file that nobody asked for
  std::set<const FileSyntax*> seen;               // those that the unit takes a declaration from
};

FileSyntax* file_of(Walk& walk, CXFile handle) {
  if (handle == nullptr) return nullptr;
  if (auto const found = walk.known.find(handle); found != walk.known.end()) return found->second;
  std::error_code failed;
  fs::path const real = fs::weakly_canonical(text_of(clang_getFileName(handle)), failed);
  FileSyntax* match = nullptr;
  for (FileSyntax& file : *walk.files)
    if (fs::weakly_canonical(walk.request->root / file.path, failed) == real) match = &file;
  walk.known[handle] = match;
  if (match != nullptr) walk.seen.insert(match);
  return match;
}

bool is_wanted(const ParseRequest& request, const std::string& name) {
  return request.names.contains("*") ||
         std::any_of(request.names.begin(), request.names.end(), [&](const std::string& wanted) { return names_scope(name, wanted); });
}

CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor, CXClientData data) {
  Walk& walk = *static_cast<Walk*>(data);
  CXFile handle = nullptr;
  clang_getFileLocation(clang_getCursorLocation(cursor), &handle, nullptr, nullptr, nullptr);
  FileSyntax* const file = file_of(walk, handle);
  CXCursorKind const kind = clang_getCursorKind(cursor);
  // A namespace may be opened in one file and hold declarations of another (an .inc inside it), so it is always entered.
  if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl) return CXChildVisit_Recurse;
  if (file == nullptr) return CXChildVisit_Continue;
  auto scope = scope_of(cursor, file->text);
  if (scope) {
    if (is_wanted(*walk.request, scope->name)) {
      scope->nodes = convert(cursor, handle);
      if (scope->kind == ScopeKind::function) scope->shape = shape_of(cursor, handle, file->text);
    }
    bool const record = scope->kind == ScopeKind::record;
    file->scopes.push_back(std::move(*scope));
    if (record) return CXChildVisit_Recurse;
  }
  return CXChildVisit_Continue;
}

}  // namespace

std::string parser_version() { return is_libclang_loaded() ? text_of(clang_getClangVersion()) : std::string(); }

bool names_scope(const std::string& name, const std::string& wanted) {
  if (name == wanted) return true;
  return name.size() > wanted.size() + 2 && name.ends_with(wanted) && name.compare(name.size() - wanted.size() - 2, 2, "::") == 0;
}

bool precompile(const CompileCommand& command, const fs::path& header, const fs::path& to) {
  load_libclang();
  std::vector<std::string> arguments = flags_of(command);
  arguments.insert(arguments.end(), {"-x", "c++-header", header.string()});
  std::unique_ptr<void, FreeIndex> const index(clang_createIndex(0, 0));
  CXErrorCode code = CXError_Success;
  // What its functions do is nothing to those who include it.
  constexpr unsigned options = CXTranslationUnit_ForSerialization | CXTranslationUnit_Incomplete | CXTranslationUnit_SkipFunctionBodies;
  Unit const unit = unit_of(index.get(), arguments, options, code);
  return code == CXError_Success && first_error(unit.get()).empty() &&
         clang_saveTranslationUnit(unit.get(), to.c_str(), CXSaveTranslationUnit_None) == CXSaveError_None;
}

namespace {

bool has_flag(const CompileCommand& command, const char* flag) {
  return std::find(command.flags.begin(), command.flags.end(), flag) != command.flags.end();
}

ParseRequest with_flags(ParseRequest request, const std::vector<std::string>& flags) {
  request.command.flags.insert(request.command.flags.end(), flags.begin(), flags.end());
  return request;
}

std::vector<FileSyntax> parse_pass(const ParseRequest& request) {
  std::vector<FileSyntax> files = open_files(request);
  std::unique_ptr<void, FreeIndex> const index(clang_createIndex(1, 0));  // 1: a prelude's own declarations are not visited
  std::string broken;
  Unit const unit = parse_unit(index.get(), request, broken);
  if (broken.empty()) broken = first_error(unit.get());
  if (!broken.empty() && !request.prelude.empty()) {
    ParseRequest whole = request;
    whole.prelude.clear();
    return parse_pass(whole);
  }
  if (!broken.empty()) {
    mark_broken(files, broken);
    return files;
  }
  Walk walk{&request, &files, {}, {}};
  clang_visitChildren(clang_getTranslationUnitCursor(unit.get()), visit_declaration, &walk);
  for (FileSyntax& file : files)
    if (!walk.seen.contains(&file)) file.broken = request.command.file.string() + " does not include " + file.path;
  return files;
}

}  // namespace

std::vector<FileSyntax> parse(const ParseRequest& request) {
  load_libclang();
  if (!request.command.is_cuda || has_flag(request.command, "--cuda-host-only") || has_flag(request.command, "--cuda-device-only"))
    return parse_pass(request);
  ParseRequest const host = with_flags(request, {"--cuda-host-only"});
  // The driver leaves the version out of a device pass without libdevice; launches are then parsed as before CUDA 9.2.
  ParseRequest const device = with_flags(request, {"--cuda-device-only", "-Xclang", "-target-sdk-version=12.5"});
  auto files = parse_pass(host);
  auto const on_device = parse_pass(device);
  for (std::size_t i = 0; i < files.size(); ++i) files[i] = both_passes(std::move(files[i]), on_device[i]);
  return files;
}

}  // namespace redproof::mutants
