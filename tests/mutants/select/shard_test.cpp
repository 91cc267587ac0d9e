#include "mutants/driver/select/shard.h"

#include <stdlib.h>

#include <map>

#include "gates/runner/refusal.h"
#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

// Set while it lives; every variable that a scheduler could have set is gone.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& variables) {
    for (const char* name : names) {
      if (const char* const value = getenv(name)) before_[name] = value;
      unsetenv(name);
    }
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const char* name : names) unsetenv(name);
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  static constexpr const char* names[] = {"SLURM_ARRAY_TASK_ID",   "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
                                          "SLURM_ARRAY_TASK_STEP", "JOB_COMPLETION_INDEX",   "CI_NODE_INDEX",
                                          "CI_NODE_TOTAL",         "MUTATE_JOB_INDEX",       "MUTATE_JOB_COUNT"};
  std::map<std::string, std::string> before_;
};

std::string from(const std::map<std::string, std::string>& variables) {
  Environment const environment(variables);
  try {
    return text_of(shard_of("env"));
  } catch (const redproof::gates::Refusal& refusal) {
    return refusal.what();
  }
}

}  // namespace

TEST_CASE("shards are counted from 1, share nothing and leave nothing out", "[select]") {
  for (std::size_t position = 0; position < 10; ++position) {
    int holders = 0;
    for (unsigned k = 1; k <= 3; ++k) holders += shard_of(std::to_string(k) + "/3").holds(position) ? 1 : 0;
    CHECK(holders == 1);
  }
  CHECK(text_of(shard_of("1/1")) == "1/1");
  for (const char* text : {"0/3", "4/3", "1/0", "", "/", "1", "1/", "/3", "-1/3", "1/3x", "1/ 3", "1/99999999999", "1/100001", "env "})
    CHECK_THROWS_WITH(shard_of(text), ContainsSubstring("must be k/n with 1 <= k <= n"));
}

TEST_CASE("schedulers say the shard in variables of their own", "[select]") {
  CHECK(
      from(
          {{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_MIN", "3"}, {"SLURM_ARRAY_TASK_STEP", "2"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}) ==
      "3/4");
  CHECK(from({{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_MIN", "0"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}) == "1/4");
  CHECK(from({{"JOB_COMPLETION_INDEX", "3"}, {"MUTATE_JOB_COUNT", "4"}}) == "4/4");
  CHECK(from({{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "4"}}) == "1/4");
  CHECK(from({{"MUTATE_JOB_INDEX", "1"}, {"MUTATE_JOB_COUNT", "4"}}) == "2/4");
}

TEST_CASE("a scheduler that says half of it, nonsense, or has a rival is refused", "[select]") {
  CHECK_THAT(from({}), ContainsSubstring("none of SLURM_ARRAY_TASK_ID"));
  CHECK_THAT(from({{"JOB_COMPLETION_INDEX", "3"}}), ContainsSubstring("MUTATE_JOB_COUNT is not set"));
  CHECK_THAT(from({{"SLURM_ARRAY_TASK_ID", "1"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}), ContainsSubstring("SLURM_ARRAY_TASK_MIN is not set"));
  CHECK_THAT(
      from({{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_MIN", "1"}, {"SLURM_ARRAY_TASK_STEP", "0"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}),
      ContainsSubstring("none of the array's numbers"));
  CHECK_THAT(from({{"CI_NODE_INDEX", "5"}, {"CI_NODE_TOTAL", "4"}}), ContainsSubstring("--shard env (GitLab): must be k/n"));
  CHECK_THAT(from({{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "4"}}), ContainsSubstring("none of the array's numbers"));
  CHECK_THAT(from({{"CI_NODE_INDEX", "one"}, {"CI_NODE_TOTAL", "4"}}), ContainsSubstring("one is no number"));
  CHECK_THAT(from({{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "4"}, {"MUTATE_JOB_INDEX", "0"}}), ContainsSubstring("are both set"));
}
