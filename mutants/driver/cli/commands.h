#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/run/run.h"

namespace redproof::mutants {

struct CommandLine {
  RunOptions run;
  std::filesystem::path catalog, root, compile_commands, output, prepare, prepared;
  std::filesystem::path cache;
  bool no_cache = false;
  bool generates = false;  // --generate stands there, with paths or before them
  std::optional<std::string> in_diff, since, shard;
  double max_time = 0;  // seconds; 0: none
  std::string format = "human";
  bool check = false, list = false, dry_run = false, verbose = false;
  std::optional<double> threshold;  // percent
  std::vector<std::string> files;   // of `symbols`; the folders of `merge`
  std::string id;                   // of `explain` and `apply`
  std::string schema;
  bool force = false;
  std::string subcommands;     // as they are told
  bool stdout_failed = false;  // while a run went on: it has been told by then
};

// Each returns the exit code and throws gates::Refusal.
int mutate(CommandLine& line);
int print_symbols(CommandLine& line);
int merge_shards(CommandLine& line);
int explain_mutant(CommandLine& line);
int apply_mutant(CommandLine& line);
int print_schema(const CommandLine& line);

// What several of them share. The louder of `code` and, where the report could not be written, 1: a tree that was not restored is not
// silenced by a full disk.
int deliver(const CommandLine& line, const std::string& text, int code);
std::string report_text(const CommandLine& line, const RunReport& report);
void resolve_out(CommandLine& line);
void resolve_paths(CommandLine& line);
// Where the report cannot be written in the end; the run's output folder is known by then. `makes_out`: what lies there is moved away.
void require_output(const CommandLine& line, bool makes_out);

}  // namespace redproof::mutants
