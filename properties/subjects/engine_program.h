#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace redproof::properties {

struct ProgramRun {
  int exit_code;  // 128 + signal where a signal ended it
  std::string out;
  std::string err;
};

// The folder of the programs under test: REDPROOF_BIN, or this program's own.
std::filesystem::path program_folder();

// Runs the built `engine` program with its real command line.
ProgramRun run_engine(const std::vector<std::string>& arguments);

// How many lines of a text have this part in them.
std::size_t lines_with(const std::string& text, const std::string& part);

}  // namespace redproof::properties
