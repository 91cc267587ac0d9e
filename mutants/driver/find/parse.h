// The only door to libclang: one translation unit, parsed once.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "mutants/driver/find/compile_database.h"
#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

struct ParseRequest {
  std::filesystem::path root;
  CompileCommand command;
  std::vector<std::string> files;   // relative to the root: those whose scopes are wanted
  std::set<std::string> names;      // trees are kept for scopes whose name ends in one of these; "*": for all
  std::filesystem::path prelude{};  // a precompiled header in front of it; empty: none
};

// One answer a file, in the order asked. Any error diagnostic makes every answer broken. Throws gates::Refusal where libclang is not there.
std::vector<FileSyntax> parse(const ParseRequest& request);

// Precompiles the file `header` under the flags of `command`, as a prelude to other files under the same. False where it has errors.
bool precompile(const CompileCommand& command, const std::filesystem::path& header, const std::filesystem::path& to);

// What libclang says of its version; empty where nothing was parsed yet.
std::string parser_version();

// `name` is `wanted`, or ends in ::wanted.
bool names_scope(const std::string& name, const std::string& wanted);

}  // namespace redproof::mutants
