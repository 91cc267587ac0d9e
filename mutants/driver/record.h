// Everything that a run learned about one mutant: a line of outcomes.jsonl.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/outcome.h"

namespace redproof::mutants {

struct FileRecord {
  std::string path;
  std::string before, mutated, restored;  // SHA-256; `restored` is empty where nothing was planted
};

struct ProgramRecord {
  std::string path;
  std::string before, mutated;  // SHA-256, or "absent"
};

struct BuildRecord {
  bool ran = false;
  int exit_code = -1;
  double seconds = 0;
  std::string error;  // the first line of the log that speaks of an error
};

struct WorstRecord {
  std::string where, inputs, observed, truth;
  double error = 0;  // may be NaN or infinite
  double bound = 0;
};

struct GateRecord {
  std::string gate;
  std::string role;   // red, green, witness, other
  std::string stage;  // premerge, nightly
  std::string verdict;
  std::string reason;
  std::string law;  // the law that decided: the named one where it is red
  std::uint64_t elements = 0;
  std::uint64_t pristine_elements = 0;
  std::uint64_t failures = 0;
  std::optional<WorstRecord> worst;
  bool exit_code_only = false;
  bool confined = false;       // could write only inside the lab
  bool out_of_memory = false;  // it failed under the memory limit, and speaks of memory: on another machine it may not
  // Of a mutant that was chosen at run time: how often the gate's processes entered its functions. A gate that never enters them on the
  // pristine tree is not run again.
  std::optional<std::uint64_t> hits;
  double seconds = 0;
};

// One of several runs of the same thing: the first was ended by a clock, or rests on a gate that is not deterministic.
struct AttemptRecord {
  std::string what;          // "gate ID", "build", "witness"; "the mutant" is all of it
  bool alone = false;        // nobody else of this run was at work
  double limit_seconds = 0;  // 0 of the whole mutant
  double seconds = 0;
  bool timed_out = false;
  std::string ending;  // what it showed
};

// One edit of several.
struct EditRecord {
  std::string edit;    // "edit 2 of 3 (a.cpp, f)"
  std::string effect;  // "changes a program", "does not build alone", "changes a program beside the others", "changes nothing"
};

struct Record {
  std::string id;
  std::string key;  // hash of all that decides it: equal keys, equal outcomes
  Outcome outcome = Outcome::unproved;
  bool as_declared = false;
  std::string reason;
  std::vector<FileRecord> files;
  BuildRecord build;
  std::vector<ProgramRecord> programs;
  std::string code;               // of a generated one that survived: SHA-256 of what the compiler makes of its file; empty where not known
  std::vector<EditRecord> edits;  // of a mutant with several that became as declared
  std::vector<GateRecord> gates;
  std::vector<AttemptRecord> attempts;  // of what was run more than once
  std::string planting;                 // one_a_build, schemata
  std::string planting_reason;          // why it was built by itself, where all others were built at once
  double seconds = 0;
  bool reused = false;  // taken from an earlier run with the same key
  bool cached = false;  // taken from a cache

  int exit_code() const { return exit_code_of(outcome, as_declared); }
};

// One line of JSON, without the line break.
std::string to_json_line(const Record& record);
// Nothing where the line is no whole record (the last line of a killed run).
std::optional<Record> record_of(const std::string& line);

}  // namespace redproof::mutants
