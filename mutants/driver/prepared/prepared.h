// What `mutate --prepare` leaves in an output folder beside its plan, for `mutate --prepared` on another machine: programs that hold all
// mutants, gate files, inputs. It needs no source, compiler or syntax tree.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "mutants/driver/lab/lab_config.h"
#include "mutants/driver/lab/worker.h"
#include "mutants/driver/schemata/rewrite.h"

namespace redproof::mutants {

// By which numbers the programs know the mutants that can be chosen at run time, and the functions that hold them.
struct Numbering {
  std::vector<HostFunction> functions;
  std::map<std::string, unsigned> mutants;                 // by id, from 1
  std::map<unsigned, std::vector<unsigned>> functions_of;  // by mutant
};

struct Prepared {
  LabConfig lab;         // its folders and programs
  GateResults pristine;  // ids, verdicts, seconds and the elements of each law
  Numbering numbering;
  std::string tree_sha256;  // of the folder below
};

inline constexpr const char* prepared_tree = "tree";

// prepared.json
std::string to_json(const Prepared& prepared);
// Throws gates::Refusal where `folder` holds none, or a tree that is not the one it speaks of.
Prepared read_prepared(const std::filesystem::path& folder);

// From a built tree: the programs, the gate files, and what the configuration names as inputs (without any: all of `files`). Links are
// followed, so that the copy may go anywhere. Throws gates::Refusal.
void copy_prepared_tree(const std::filesystem::path& from, const LabConfig& lab, const std::vector<std::string>& files,
                        const std::filesystem::path& to);
// Every regular file below `tree`, relative and sorted.
std::vector<std::string> all_files(const std::filesystem::path& tree);

}  // namespace redproof::mutants
