#include "mutants/driver/run/trial.h"

#include <algorithm>
#include <set>

#include "mutants/driver/run/attempts.h"

namespace redproof::mutants {
namespace {

std::vector<std::string> red_gates(const Mutant& mutant) {
  std::vector<std::string> names;
  for (const Red& red : mutant.reds)
    if (std::find(names.begin(), names.end(), red.gate) == names.end()) names.push_back(red.gate);
  return names;
}

std::string law_of(const Mutant& mutant, const std::string& gate) {
  auto const found = std::find_if(mutant.reds.begin(), mutant.reds.end(), [&](const Red& red) { return red.gate == gate; });
  return found == mutant.reds.end() ? std::string() : found->law;
}

AttemptRecord attempt_of(const Shown& shown) {
  const gates::GateResult& result = shown.result;
  std::string const word(gates::word(result.verdict));
  return {"gate " + result.id,  false,
          result.limit_seconds, result.seconds,
          shown.out_of_time(),  result.reason.empty() ? word : word + ": " + result.reason};
}

// What the clock ended is run again until it may be believed.
void settle(const TrialTools& tools, const gates::Gate& gate, Shown& shown, Record& record) {
  auto const attempts = attempts_of(attempt_of(shown), [&](Patience patience) {
    shown = tools.run_again(gate, patience);
    return attempt_of(shown);
  });
  if (!attempts.empty() && attempts.back().timed_out) shown.result.reason = told(attempts);
  record.attempts.insert(record.attempts.end(), attempts.begin(), attempts.end());
}

GateResults run_gates(const TrialTools& tools, const std::vector<gates::Gate>& gates, const PlannedMutant& planned, std::string_view role,
                      Record& record) {
  GateResults results;
  auto all = tools.run(gates);
  for (const gates::Gate& gate : gates) {
    std::string const& id = gate.id;
    Shown& shown = all.at(id);
    // Of some laws alone nothing is concluded but a kill.
    if (!gate.these_laws_only) settle(tools, gate, shown, record);
    record.gates.push_back(record_of(shown.result, tools.pristine.find(id), role, law_of(planned.mutant, id)));
    record.gates.back().hits = shown.hits;
    tools.out.write_log(planned.mutant.id, id, shown.result.process.output);
    results[id] = std::move(shown.result);
  }
  return results;
}

// The named gates, each asked for its named laws alone.
std::vector<gates::Gate> asked_for_laws(const TrialTools& tools, const Mutant& mutant) {
  auto gates = gates_named(tools.gates, red_gates(mutant));
  for (gates::Gate& gate : gates) {
    gate.laws.clear();
    for (const Red& red : mutant.reds)
      if (red.gate == gate.id) gate.laws.push_back(red.law);
    gate.these_laws_only = true;
  }
  return gates;
}

bool all_name_laws(const Mutant& mutant) {
  return mutant.expects == Expectation::law &&
         std::none_of(mutant.reds.begin(), mutant.reds.end(), [](const Red& red) { return red.law.empty(); });
}

// Most mutants die in the named law, and no other law is needed to say so. Where it does not go red, nothing is said.
bool is_killed_by_named_laws(const TrialTools& tools, const PlannedMutant& planned, Record& record) {
  if (!all_name_laws(planned.mutant)) return false;
  auto const asked = asked_for_laws(tools, planned.mutant);
  if (!std::all_of(asked.begin(), asked.end(), tools.is_green_alone)) return false;
  GateResults const results = run_gates(tools, asked, planned, "red", record);
  Judged const judged = judge_reds(planned.mutant, results, tools.pristine.all());
  if (judged.as_declared)
    set_outcome(record, judged);
  else
    record.gates.clear();
  return judged.as_declared;
}

// Counted in every gate, and entered in none.
bool is_never_entered(const Record& record) {
  return std::all_of(record.gates.begin(), record.gates.end(), [](const GateRecord& gate) { return gate.hits == std::uint64_t{0}; });
}

// Does any other gate see it? Only one that is green on the pristine tree can say so.
void judge_survivor(const TrialTools& tools, const PlannedMutant& planned, Record& record) {
  auto const reds = red_gates(planned.mutant);
  std::vector<std::string> others;
  for (const gates::Gate& gate : tools.gates)
    if (std::find(reds.begin(), reds.end(), gate.id) == reds.end()) others.push_back(gate.id);
  GateResults const results = run_gates(tools, gates_named(tools.gates, others), planned, "other", record);
  if (is_never_entered(record)) return set_outcome(record, {Outcome::not_reached, false, "no gate enters the function that it changes"});
  std::vector<std::string> suspects;
  for (const auto& [id, result] : results)
    if (!gates::is_green(result.verdict) && result.verdict != gates::Verdict::skipped) suspects.push_back(id);
  if (suspects.empty()) return;
  GateResults const pristine = tools.run_pristine(gates_named(tools.gates, suspects));
  std::string seen;
  for (const std::string& id : suspects)
    if (pristine.contains(id) && gates::is_green(pristine.at(id).verdict)) seen += (seen.empty() ? "" : ", ") + id;
  if (!seen.empty()) set_outcome(record, {Outcome::wrong_gate, false, record.reason + "; seen only by " + seen});
}

void judge_by_named_gates(const TrialTools& tools, const PlannedMutant& planned, Record& record) {
  const Mutant& mutant = planned.mutant;
  if (!is_killed_by_named_laws(tools, planned, record)) {
    GateResults const results = run_gates(tools, gates_named(tools.gates, red_gates(mutant)), planned, "red", record);
    set_outcome(record, judge_reds(mutant, results, tools.pristine.all()));
    bool const every_red_green =
        std::all_of(results.begin(), results.end(), [](const auto& entry) { return gates::is_green(entry.second.verdict); });
    if (record.outcome == Outcome::survived && every_red_green) return judge_survivor(tools, planned, record);
  }
  if (!record.as_declared || mutant.keeps_green.empty()) return;
  Judged const greens =
      judge_greens(mutant, run_gates(tools, gates_named(tools.gates, mutant.keeps_green), planned, "green", record), tools.pristine.all());
  if (!greens.as_declared) set_outcome(record, greens);
}

void run_the_rest(const TrialTools& tools, const PlannedMutant& planned, Record& record) {
  std::set<std::string> ran;
  for (const GateRecord& gate : record.gates) ran.insert(gate.gate);
  std::vector<std::string> rest;
  for (const gates::Gate& gate : tools.gates)
    if (!ran.contains(gate.id)) rest.push_back(gate.id);
  run_gates(tools, gates_named(tools.gates, rest), planned, "other", record);
}

// Empty where the gate has no laws of its own.
std::string law_red_in(const gates::GateResult& result) {
  const gates::LawEvidence* const law = result.worst_law();
  return law == nullptr ? std::string() : law->law;
}

const std::string& file_of(const PlannedMutant& planned) { return planned.finding.files.front().path; }

// One law asked alone: nothing is concluded but a kill.
bool is_killed_by_last_killer(const TrialTools& tools, const PlannedMutant& planned, Record& record) {
  auto const last = planned.every_gate ? std::nullopt : tools.killers.of(file_of(planned), tools.function);
  if (!last || last->law.empty()) return false;
  auto asked = gates_named(tools.gates, {last->gate});
  asked.front().laws = {last->law};
  asked.front().these_laws_only = true;
  if (!tools.is_green_alone(asked.front())) return false;
  Shown const shown = tools.run(asked).at(last->gate);
  const gates::GateResult* const pristine = tools.pristine.find(last->gate);
  Judged const judged = judge_any(shown.result, *pristine);
  if (judged.outcome != Outcome::killed) return false;
  record.gates.push_back(record_of(shown.result, pristine, "other", {}));
  record.gates.back().hits = shown.hits;
  set_outcome(record, judged);
  return true;
}

}  // namespace

GateResults Pristine::all() const {
  std::lock_guard const guard(mutex_);
  return results_;
}

const gates::GateResult* Pristine::find(const std::string& gate) const {
  std::lock_guard const guard(mutex_);
  auto const found = results_.find(gate);
  return found == results_.end() ? nullptr : &found->second;
}

void Pristine::add(const GateResults& results) {
  std::lock_guard const guard(mutex_);
  results_.insert(results.begin(), results.end());
}

bool Pristine::is_green_alone(const gates::Gate& asked, const std::function<gates::GateResult()>& run) {
  std::pair const key{asked.id, asked.laws};
  {
    std::lock_guard const guard(mutex_);
    if (auto const known = green_alone_.find(key); known != green_alone_.end()) return known->second;
  }
  bool const green = gates::is_green(run().verdict);
  std::lock_guard const guard(mutex_);
  return green_alone_.emplace(key, green).first->second;
}

void set_outcome(Record& record, const Judged& judged) {
  record.outcome = judged.outcome;
  record.as_declared = judged.as_declared;
  record.reason = judged.reason;
}

void judge_by_gates(const TrialTools& tools, const PlannedMutant& planned, Record& record) {
  judge_by_named_gates(tools, planned, record);
  if (planned.every_gate) run_the_rest(tools, planned, record);
}

void judge_generated(const TrialTools& tools, const PlannedMutant& planned, Record& record) {
  if (is_killed_by_last_killer(tools, planned, record)) return;
  // What runs before a merge first: its share is not to depend on what a quicker one saw.
  std::multimap<std::pair<gates::Stage, double>, const gates::Gate*> by_seconds;
  for (const gates::Gate& gate : tools.gates) {
    const gates::GateResult* const known = tools.pristine.find(gate.id);
    by_seconds.emplace(std::pair{gate.stage, known == nullptr ? 0.0 : known->seconds}, &gate);
  }
  Judged found{Outcome::survived, true, "every gate that reaches it stayed green"};
  for (const auto& [order, gate] : by_seconds) {
    Shown shown = tools.run({*gate}).at(gate->id);
    settle(tools, *gate, shown, record);
    if (shown.hits == std::uint64_t{0}) continue;
    const gates::GateResult* const pristine = tools.pristine.find(gate->id);
    record.gates.push_back(record_of(shown.result, pristine, "other", {}));
    record.gates.back().hits = shown.hits;
    Judged const judged = judge_any(shown.result, *pristine);
    if (judged.outcome == Outcome::killed && gate->stage == gates::Stage::premerge)
      tools.killers.add(file_of(planned), tools.function, {gate->id, law_red_in(shown.result)});
    if (judged.outcome != Outcome::killed && judged.outcome != Outcome::survived)
      tools.out.write_log(planned.mutant.id, gate->id, shown.result.process.output);
    if ((judged.outcome == Outcome::killed && found.outcome != Outcome::killed) ||
        (found.outcome == Outcome::survived && judged.outcome != Outcome::survived))
      found = judged;
    if (found.outcome == Outcome::killed && !planned.every_gate) break;
  }
  if (record.gates.empty()) found = {Outcome::not_reached, true, "no gate enters the function that it changes"};
  set_outcome(record, found);
}

std::vector<std::string> gates_needed(const std::vector<const PlannedMutant*>& todo, const std::vector<gates::Gate>& gates) {
  std::set<std::string> names;
  for (const PlannedMutant* planned : todo) {
    for (const std::string& gate : planned->mutant.gates()) names.insert(gate);
    if (planned->mutant.generated || planned->every_gate)
      for (const gates::Gate& gate : gates) names.insert(gate.id);
  }
  return {names.begin(), names.end()};
}

void judge_by_witness(const TrialTools& tools, const PlannedMutant& planned, Record& record) {
  std::string const& gate = planned.mutant.witness.gate;
  std::string why_not;
  if (tools.pristine.find(gate)->verdict == gates::Verdict::skipped)
    return set_outcome(record, {Outcome::no_evidence, false, "its witness " + gate + " is skipped here"});
  GateResults const results = run_gates(tools, gates_named(tools.gates, {gate}), planned, "witness", record);
  bool const holds = is_green_as_before(results.at(gate), *tools.pristine.find(gate), why_not);
  set_outcome(record, judge_witness(holds, why_not));
}

}  // namespace redproof::mutants
