// One mutant, told to somebody who meets it for the first time.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gates/runner/catalog.h"
#include "mutants/driver/lab/lab_config.h"
#include "mutants/driver/plan/plan.h"
#include "mutants/driver/record.h"

namespace redproof::mutants {

struct Explained {
  PlannedMutant planned;
  std::vector<gates::Gate> gates;  // of the project
  LabConfig lab;
  std::vector<std::string> project;  // the options of `mutate` that name its mutant: --catalog, --generate and their like
  std::uint64_t seed = 1;            // of the run, where there was one
  std::optional<Record> record;      // of that run
  std::string run;                   // the folder that holds it
  bool same_inputs = false;          // the mutant and its sources are still those of the run
};

// What it changes, who is to see it, what happened, how to do it by hand.
std::string explain(const Explained& explained);
// "store/kv_swap" -> "store_kv_swap.patch"
std::string patch_name(const std::string& id);
// For a shell.
std::string quoted_command(const std::vector<std::string>& words);

}  // namespace redproof::mutants
