// The catalogue: mutants/GROUP/NAME.mutant.json, one file a mutant.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gates/runner/catalog.h"
#include "gates/runner/json_document.h"
#include "mutants/driver/catalog/mutant.h"

namespace redproof::mutants {

// Every *.mutant.json below `dir`, sorted by id. Throws gates::Refusal for the first file that is malformed or not named after its id.
std::vector<Mutant> load_catalog(const std::filesystem::path& dir);
Mutant load_mutant(const std::filesystem::path& file, const std::string& id);

// The mutants that any pattern names (ids, or globs with * and ?), in catalogue order; no pattern means all. A pattern that matches nothing
// is refused.
std::vector<Mutant> select_mutants(const std::vector<Mutant>& mutants, const std::vector<std::string>& patterns);

// Refuses a mutant that names a gate or a law that does not exist.
void check_gates_exist(const std::vector<Mutant>& mutants, const std::vector<gates::Gate>& gates);

// Relative, no "..", nothing absolute, nothing empty.
bool is_safe_path(const std::string& path);
// A text that becomes a part of a path. Throws gates::Refusal where it is not safe.
std::string safe_path_of(const gates::JsonValue& json);

}  // namespace redproof::mutants
