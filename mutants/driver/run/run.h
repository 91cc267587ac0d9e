// A whole run: catalogue, find, plan, pristine tree, mutants, report.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/plan/plan.h"
#include "mutants/driver/record.h"
#include "mutants/driver/select/select.h"

namespace redproof::mutants {

struct RunOptions {
  std::filesystem::path root;
  std::filesystem::path catalog;
  std::filesystem::path lab_config;  // empty: lab.json of the catalogue
  std::filesystem::path out;
  std::optional<std::filesystem::path> compile_commands;  // for finding without a lab
  std::vector<std::string> filters;
  std::vector<std::string> generate;   // files, folders or globs: operators' mutants of these, instead of the catalogue's
  std::vector<std::string> operators;  // empty: the default set; "all"
  Selection selection;
  std::optional<std::chrono::steady_clock::time_point> start_none_after;  // later no mutant is started
  std::string planting = automatic;                                       // a word of plan.h
  bool matrix = false;                                                    // every gate on every mutant, also after the first kill
  unsigned jobs = 1;
  std::uint64_t seed = 1;
  double timeout_factor = 1;
  bool keep_lab = false;
  bool prepare = false;  // leave what can be chosen at run time in `out`, for run_prepared() elsewhere
  bool resume = true;
  std::filesystem::path cache;  // of verdicts, shared by runs; empty: none
  std::function<void(const Record&, const PlannedMutant&)> on_record = [](const Record&, const PlannedMutant&) {};
  std::function<void(const std::string&)> on_note = [](const std::string&) {};  // progress, and what a reader should know
};

// The same mutant, planted in both ways.
struct Comparison {
  std::string id;
  Outcome together = Outcome::unproved;
  Outcome alone = Outcome::unproved;

  // In a build of its own nobody counts entries: what no gate reaches survives there.
  bool agree() const { return together == alone || (together == Outcome::not_reached && alone == Outcome::survived); }
};

struct RunReport {
  Plan plan;
  std::vector<Record> records;       // in the order of the plan; after an interrupt only those that had finished
  std::vector<Comparison> compared;  // where both plantings were asked for
  std::vector<std::string> notes;    // said once a run
  std::size_t prepared = 0;          // of the mutants, those that run_prepared() can run
  std::vector<int> exit_codes;       // of what concerns the run as a whole
  double seconds = 0;

  int exit_code() const;
};

// Throws gates::Refusal. An interrupt ends it early with exit code 130 in the report.
RunReport run(const RunOptions& options);

// What `prepare` left in `folder`: no source, no compiler, no syntax tree. Of `options` those of selection, workers and output count.
// Throws gates::Refusal.
RunReport run_prepared(const RunOptions& options, const std::filesystem::path& folder);

// Finds every edit and runs nothing: stale and broken ones are in the records, everything else has no record.
RunReport check(const RunOptions& options);

}  // namespace redproof::mutants
