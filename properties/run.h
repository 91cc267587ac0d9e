#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redproof::properties {

enum class LawVerdict : std::uint8_t { green, red, vacuous };

// The worst element of a law, in words that a reader can repeat.
struct Witness {
  std::string where;     // coordinates
  std::string inputs;    // what went in
  std::string observed;  // the subject's answer
  std::string truth;     // the oracle's answer
};

// The inputs of one case. Every value is drawn by RapidCheck from the run's seed, so that a failure shrinks.
class Draw {
 public:
  virtual ~Draw() = default;
  virtual std::int64_t integer(const std::string& name, std::int64_t low, std::int64_t high) = 0;  // both ends included
  virtual std::uint64_t bits(const std::string& name) = 0;
};

// What a law reports while it checks. An element outside its bound, NaN included, makes the law red.
class Tally {
 public:
  // True where this element is the worst so far: the caller then describes it with witness().
  [[nodiscard]] bool within(double error, double bound);
  [[nodiscard]] bool equal(bool same) { return within(same ? 0.0 : 1.0, 0.0); }
  void witness(Witness worst);
  void count(const std::string& bucket, std::uint64_t elements = 1);
  // How far a declared mutant would stand from the truth here, in bounds; the largest over all elements is kept for each mutant.
  void signal(const std::string& mutant, double error_over_bound);

  std::uint64_t elements = 0;
  std::uint64_t failures = 0;
  double worst_ratio = -1.0;  // error / bound of the worst element
  double worst_error = 0.0;
  double worst_bound = 0.0;
  std::optional<Witness> worst;
  std::map<std::string, std::uint64_t> population;
  std::map<std::string, double> signals;
};

struct Law {
  std::string name;     // the file's name in properties/
  std::string subject;  // "cpu/scalar", "cpu/avx2", "cuda_header", ...
  std::string bound;    // where the bound comes from, one line
  int cases = 1;
  std::map<std::string, std::uint64_t> floors = {};  // bucket -> least count; below it the law is vacuous
  std::vector<std::string> separates = {};           // mutants that this population shows
};

struct LawReport {
  Law law;
  LawVerdict verdict;
  std::string reason;  // why vacuous, or what was thrown
  Tally tally;
  std::optional<double> margin;  // signal of the nearest declared mutant / bound
  std::optional<double> slack;   // bound / worst error
};

// Runs the body on law.cases drawn cases, judges what it tallied, keeps the report for the evidence, and returns the verdict.
// An exception that leaves the body is a failure of the law.
LawVerdict run_law(const Law& law, const std::function<void(Draw&, Tally&)>& body);

// Whether the run wants this law, or a call of it as text: where REDPROOF_LAWS is set, only those that it lists. They are then not shrunk
// either: it is asked whether they fail, not where first.
bool is_asked_for(std::string_view law);

// The seed of this process: REDPROOF_SEED, or 1.
std::uint64_t run_seed();

const std::vector<LawReport>& reports();

// Writes the evidence to REDPROOF_EVIDENCE (where set) and returns the exit code that the verdicts demand: 0, 2 or 8.
int close_evidence();

}  // namespace redproof::properties
