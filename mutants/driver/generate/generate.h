// Mutants that operators make of a source tree.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "mutants/driver/catalog/mutant.h"
#include "mutants/driver/find/edits.h"
#include "mutants/driver/find/find.h"

namespace redproof::mutants {

struct GenerateOptions {
  std::filesystem::path root;
  std::filesystem::path compile_commands;
  std::vector<std::string> paths;      // files, folders or globs, relative to the root
  std::vector<std::string> operators;  // empty: the default set; "all"
  unsigned jobs = 1;
};

struct Generated {
  Mutant mutant;  // `reds`, `edits` and `targets` are empty: any gate that goes red kills it
  std::string operator_name;
  std::string path;
  std::string function;  // qualified
  std::string signature;
  std::size_t line = 0;  // of the change, 1-based, as is the column, in bytes
  std::size_t column = 0;
  Range site;                             // the node that the operator looked at
  std::vector<Replacement> replacements;  // bytes of the pristine file; lines are kept
};

struct Generation {
  std::vector<Generated> mutants;            // by file, place and operator; ids are unique
  std::map<std::string, std::string> texts;  // of the files
  std::vector<std::string> lost;             // skip comments that suppress nothing, "file:line: ..."
  std::vector<std::string> broken;           // files of which nothing can be said, "file: why"

  // Made on demand: thousands of texts of whole files are more than a machine needs to hold.
  Finding finding_of(const Generated& generated) const;
};

// Throws gates::Refusal for a path, an operator or a compile database that cannot be used, and for a skip comment without a reason.
Generation generate(const GenerateOptions& options);
// A line an operator: its name, whether it is in the default set, what it does.
std::string operators_help();

}  // namespace redproof::mutants
