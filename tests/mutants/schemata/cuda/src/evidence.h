// One law's evidence, as the runner of gates reads it.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

struct Found {
  std::string law;
  std::vector<int> observed, truth;
  std::string error;  // of the device; then nothing was observed
};

// Answers the exit code of a gate.
int leave_evidence(const Found& found);
