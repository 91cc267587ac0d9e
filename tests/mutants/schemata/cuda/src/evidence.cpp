#include "evidence.h"

#include <cstdio>
#include <cstdlib>

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Failures {
  std::size_t count = 0, first = 0;
};

Failures failures_of(const Found& found) {
  Failures failures;
  for (std::size_t i = 0; i < found.truth.size(); ++i)
    if ((!found.error.empty() || found.observed[i] != found.truth[i]) && failures.count++ == 0) failures.first = i;
  return failures;
}

std::string worst_of(const Found& found, const Failures& failures) {
  if (failures.count == 0) return "null";
  std::string const i = std::to_string(failures.first);
  std::string const observed = found.error.empty() ? std::to_string(found.observed[failures.first]) : found.error;
  return R"({"where":"element )" + i + R"(","inputs":"index )" + i + R"(","observed":")" + observed + R"(","truth":")" +
         std::to_string(found.truth[failures.first]) + R"(","error":1.0,"bound":0.0})";
}

}  // namespace

int leave_evidence(const Found& found) {
  Failures const failures = failures_of(found);
  std::string const worst = worst_of(found, failures);
  std::string const path = variable("REDPROOF_EVIDENCE");
  std::FILE* const file = std::fopen((path + ".tmp").c_str(), "w");
  if (file == nullptr) return 70;
  std::fprintf(file,
               R"({"nonce":"%s","schema":"redproof.evidence.1","gate":"%s","program":"prog","seed":%s,"laws":[)"
               R"({"law":"%s","subject":"cuda","verdict":"%s","reason":"","elements":%zu,"failures":%zu,"population":{},"floors":{},)"
               R"("separates":[],"bound":"exact","margin":null,"slack":null,"worst":%s,"reproduce":"by hand"}],)"
               R"("mutant":null,"end":{"laws":1,"elements":%zu}})",
               variable("REDPROOF_NONCE").c_str(), variable("REDPROOF_GATE").c_str(), variable("REDPROOF_SEED").c_str(), found.law.c_str(),
               failures.count == 0 ? "green" : "red", found.truth.size(), failures.count, worst.c_str(), found.truth.size());
  std::fclose(file);
  std::rename((path + ".tmp").c_str(), path.c_str());
  return failures.count == 0 ? 0 : 2;
}
