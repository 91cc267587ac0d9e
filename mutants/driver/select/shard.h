// One of n parts of the selected mutants, the same on every machine.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace redproof::mutants {

struct Shard {
  unsigned index = 1;  // 1..count
  unsigned count = 1;

  bool holds(std::size_t position) const { return position % count == index - 1; }
  bool operator==(const Shard&) const = default;
};

// "k/n", 1-based, or "env": from the variables of Slurm arrays, Kubernetes indexed jobs, GitLab, or MUTATE_JOB_INDEX (0-based) beside
// MUTATE_JOB_COUNT. Throws gates::Refusal where that is malformed, missing, or said by more than one of them.
Shard shard_of(const std::string& text);
std::string text_of(const Shard& shard);

}  // namespace redproof::mutants
