// From a process and its evidence to the verdict of its gate.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gates/runner/catalog.h"
#include "gates/runner/evidence.h"
#include "gates/runner/process.h"
#include "gates/runner/verdict_words.h"

namespace redproof::gates {

struct Judgement {
  Verdict verdict = Verdict::broken;
  std::string reason;  // one line; empty where green
};

// Pure. broken > red > vacuous > skipped > green, whatever order the laws come in.
Judgement judge(const Gate& gate, const ProcessResult& process, const EvidenceReading& reading);
// One law by itself: what it says, unless its own figures contradict it (broken) or its population is too small (vacuous).
Judgement judge_law(const LawEvidence& law);

struct GateResult {
  std::string id;
  Stage stage = Stage::premerge;
  Verdict verdict = Verdict::broken;
  std::string reason;
  Evidence evidence;  // empty where none could be read
  ProcessResult process;
  double seconds = 0;
  double limit_seconds = 0;   // what it was given
  bool in_full_disk = false;  // it did not end green, and its temporary folder had no room left

  // The red law that tells most: the one whose worst element is furthest beyond its bound. Null where no law is red.
  const LawEvidence* worst_law() const;
};

}  // namespace redproof::gates
