// A whole catalogue against a tree: one parse a translation unit, and for every mutant the bytes that change.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/catalog/mutant.h"
#include "mutants/driver/find/compile_database.h"
#include "mutants/driver/find/edits.h"

namespace redproof::mutants {

struct MutatedFile {
  std::string path;  // relative to the root, links resolved
  std::string before;
  std::string after;
  std::string before_sha256;
  std::string after_sha256;
  std::vector<Replacement> replacements{};  // that make `after` of `before`
};

// One edit of several: the files with it alone, and with all but it.
struct EditFiles {
  std::string where;  // "edit 2 of 3 (a.cpp, f)"
  std::vector<MutatedFile> alone, others;
};

struct Finding {
  std::vector<MutatedFile> files;  // empty where stale or broken
  std::string stale;               // why it applies nowhere, or at more than one place
  std::string broken;              // why nothing can be said: a parse with errors
  std::vector<EditFiles> each{};   // of a mutant with several edits
};

struct FindOptions {
  std::filesystem::path root;
  std::optional<std::filesystem::path> compile_commands;  // none: only text edits can be found
  unsigned jobs = 1;
};

// A path inside the root with its links resolved; as it is where there is no such file. Throws gates::Refusal where it leads out of the
// root.
std::string resolve(const std::filesystem::path& root, const std::string& file);

// Loads the parser, as the first file that is parsed would. Whether it is there.
bool has_parser();

// One finding a mutant, in order. Throws gates::Refusal where a compile database cannot be read or a file is outside the root.
std::vector<Finding> find(const std::vector<Mutant>& mutants, const FindOptions& options);

// Every function of the files with its tree, by path; a file that no compile command reaches is broken. Throws gates::Refusal where a
// compile database cannot be read.
std::map<std::string, FileSyntax> syntax_of(const std::vector<std::string>& files, const FindOptions& options);

// The sources of CUDA inside the root that include one of the files. Throws as syntax_of().
std::vector<std::string> cuda_sources_including(const std::vector<std::string>& files, const FindOptions& options);

// "path::symbol" of what the files define, in the order of the source. Throws gates::Refusal where a file does not parse.
std::vector<std::string> symbols(const std::vector<std::string>& files, const FindOptions& options);

}  // namespace redproof::mutants
