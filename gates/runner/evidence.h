// What a gate's process says it checked, and whether that file can be believed.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gates/runner/verdict_words.h"

namespace redproof::gates {

struct WorstElement {
  std::string where, inputs, observed, truth;
  double error = 0;  // may be NaN or infinite
  double bound = 0;
};

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

struct LawEvidence {
  std::string law;
  std::string subject;                // e.g. cpu/avx2; entries are keyed by (law, subject)
  Verdict verdict = Verdict::broken;  // green, red, vacuous or skipped
  std::string reason;
  std::uint64_t elements = 0;
  std::uint64_t failures = 0;
  Counts population;
  Counts floors;
  std::vector<std::string> separates;  // ids of the mutants that this population can show
  std::string bound;                   // its derivation
  std::optional<double> margin;
  std::optional<double> slack;
  std::optional<WorstElement> worst;
  std::string reproduce;
};

struct ActiveMutant {
  std::string id;
  std::uint64_t hits = 0;
};

struct Evidence {
  std::string gate;
  std::string program;
  std::uint64_t seed = 0;
  std::vector<LawEvidence> laws;
  std::optional<ActiveMutant> mutant;
  bool exit_code_only = false;  // a foreign gate that wrote none

  std::uint64_t elements() const;              // over all laws
  std::optional<double> least_margin() const;  // over the laws that have one
  std::optional<double> most_slack() const;
  const LawEvidence* find(const std::string& law, const std::string& subject) const;
};

struct EvidenceReading {
  std::optional<Evidence> evidence;
  bool absent = false;
  std::string broken;  // why it cannot be believed; empty where evidence is there
};

inline constexpr std::uint64_t evidence_limit_bytes = 16ull << 20;

// Reads the file that a run left. Never throws for what the file holds.
EvidenceReading read_evidence(const std::filesystem::path& path, const std::string& nonce, const std::string& gate);

}  // namespace redproof::gates
