// The commands of `gates`, without its command line.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace redproof::gates {

struct GatesOptions {
  std::vector<std::string> patterns;  // ids and globs
  std::string format = "human";
  std::filesystem::path output;  // empty: stdout
  std::filesystem::path root;    // empty: searched upward from the working folder
  std::filesystem::path bin;     // empty: the folder of this executable
  std::optional<std::string> subject;
  std::string stage = "nightly";
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  double timeout_factor = 1;  // over each gate's own limit
};

// Each returns an exit code, and throws Refusal where the answer is 1.
int list_gates(const GatesOptions& options);
int run_selected(const GatesOptions& options);
int check_catalogue(const GatesOptions& options);
int show_gate(const GatesOptions& options);

}  // namespace redproof::gates
