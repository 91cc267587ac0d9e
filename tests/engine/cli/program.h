// The engine's real program, run as a process.
#pragma once
#include <string>
#include <vector>

namespace redproof::tests {

struct Finished {
  int exit_code;  // -1: ended by a signal
  std::string out;
  std::string err;
};

// stdout_path: where stdout goes instead of into `out`; "-" closes it.
Finished run_engine(const std::vector<std::string>& arguments, const std::string& stdout_path = "");

// Sends SIGINT once the program has written its first line on stderr.
Finished interrupt_engine(const std::vector<std::string>& arguments);

// The value of a top-level or nested "key" as it stands in JSON text, or "absent". First occurrence.
std::string field_of(const std::string& json, const std::string& key);

}  // namespace redproof::tests
