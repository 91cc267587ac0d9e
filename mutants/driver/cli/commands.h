#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/run/run.h"

namespace redproof::mutants {

struct CommandLine {
  RunOptions run;
  std::filesystem::path catalog, root, compile_commands, output;
  std::optional<std::string> in_diff, since, shard;
  double max_time = 0;  // seconds; 0: none
  std::string format = "human";
  bool check = false, list = false, dry_run = false, verbose = false;
  std::vector<std::string> files;  // of `symbols`
};

// Both return the exit code; both throw gates::Refusal.
int mutate(CommandLine& line);
int print_symbols(CommandLine& line);

}  // namespace redproof::mutants
