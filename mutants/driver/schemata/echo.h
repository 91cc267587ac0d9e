// The file in which the processes of a run say what they did; runtime.h has its other side.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace redproof::mutants {

struct Echo {
  std::uint64_t processes = 0;                 // that read their orders
  std::uint64_t active = 0;                    // the mutant that they read
  std::uint64_t hits = 0;                      // how often one of its functions was entered
  bool hung = false;                           // it ran into the limit
  std::vector<std::uint64_t> entered, ticked;  // by function: entries, and entries with rounds of loops
};

// A fresh file for one run. `limit` is of entries and rounds together. Throws gates::Refusal.
void write_echo(const std::filesystem::path& path, unsigned functions, std::uint64_t limit);
Echo read_echo(const std::filesystem::path& path, unsigned functions);

}  // namespace redproof::mutants
