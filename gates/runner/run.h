// Running gates: a process each, a fresh evidence path and nonce each.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gates/runner/catalog.h"
#include "gates/runner/scratch.h"
#include "gates/runner/verdict.h"

namespace redproof::gates {

struct RunOptions {
  std::filesystem::path root;  // cwd of every gate
  std::filesystem::path bin;   // the folder of the gate programs, also REDPROOF_BIN
  std::uint64_t seed = 1;
  std::optional<std::string> subject;                 // REDPROOF_SUBJECT
  std::vector<std::filesystem::path> writable_roots;  // Landlock; the evidence's own folder is added
  double timeout_factor = 1.0;                        // over the gate's own timeout_s
  std::uint64_t memory_limit_bytes = 0;
  std::uint64_t file_size_limit_bytes = 0;
  std::uint64_t open_files_limit = 0;
  bool own_network = false;  // but for gates that ask for the network
  std::vector<std::pair<std::string, std::string>> set_env;
  std::filesystem::path scratch;  // where evidence folders are made; empty: the system's temporary folder
  Scratch* kept = nullptr;        // instead of a folder each: one that is cleared, for one gate after the other
};

GateResult run_gate(const Gate& gate, const RunOptions& options);

// At most `jobs` at a time, started in the order of `gates`. `on_result` is called as each ends, by one thread at a time. The answer is in
// the order of `gates`; after an interrupt it holds only those that had ended.
std::vector<GateResult> run_gates(const std::vector<Gate>& gates, const RunOptions& options, unsigned jobs,
                                  const std::function<void(const GateResult&)>& on_result);

}  // namespace redproof::gates
