// What a run is going to do, known and written down before it does anything.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gates/runner/catalog.h"
#include "mutants/driver/catalog/mutant.h"
#include "mutants/driver/find/find.h"

namespace redproof::mutants {

inline constexpr const char* tool_version = "redproof mutate 0.1.0";

// How mutants come into a program: each in a build of its own, or all in one build with the active one chosen at run time.
inline constexpr const char* one_a_build = "one_a_build";
inline constexpr const char* schemata = "schemata";
inline constexpr const char* automatic = "auto";  // one_a_build for very few, else schemata
inline constexpr const char* both = "both";       // schemata, then each by itself, and compared

struct PlannedMutant {
  Mutant mutant;
  Finding finding;
  std::string key;
  bool every_gate = false;  // is run on it, also after the first kill
};

struct Plan {
  std::filesystem::path root;
  std::string platform;
  std::string tree_sha256;  // without the mutant files: each is in its own key
  std::string planting = automatic;
  std::uint64_t seed = 1;
  double timeout_factor = 1;
  bool matrix = false;  // every gate on every mutant
  std::vector<PlannedMutant> mutants;

  std::vector<std::string> targets() const;  // of all mutants, each once
};

// Hash of everything that decides the outcome of this mutant.
std::string key_of(const Plan& plan, const PlannedMutant& planned);
std::vector<gates::Gate> gates_named(const std::vector<gates::Gate>& gates, const std::vector<std::string>& names);
// The document plan.json.
std::string to_json(const Plan& plan);

}  // namespace redproof::mutants
