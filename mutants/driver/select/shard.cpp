#include "mutants/driver/select/shard.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"

namespace redproof::mutants {
namespace {

constexpr unsigned most_shards = 100'000;

// A scheduler's way to say which of how many. Slurm's first index and step may be any number.
struct Scheduler {
  const char* name;
  const char* index;
  const char* count;
  unsigned first;  // the number of the first part
  const char* first_variable = nullptr;
  const char* step_variable = nullptr;
};

constexpr std::array schedulers{
    Scheduler{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0, "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"},
    Scheduler{"Kubernetes", "JOB_COMPLETION_INDEX", "MUTATE_JOB_COUNT", 0},
    Scheduler{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
    Scheduler{"GitHub", "MUTATE_JOB_INDEX", "MUTATE_JOB_COUNT", 0},
};

std::optional<unsigned> number_of(std::string_view text) {
  unsigned number = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const whole = failed == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

unsigned variable(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) throw gates::Refusal(fmt::format("--shard env: {} is not set", name));
  auto const number = number_of(text);
  if (!number) throw gates::Refusal(fmt::format("--shard env: {}: {} is no number", name, gates::printable(text, 80)));
  return *number;
}

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

Shard checked(const std::string& what, unsigned position, unsigned count) {
  if (count < 1 || count > most_shards || position >= count)
    throw gates::Refusal(fmt::format("--shard {}: must be k/n with 1 <= k <= n <= {}", what, most_shards));
  return {position + 1, count};
}

Shard from_scheduler(const Scheduler& scheduler) {
  unsigned const first = scheduler.first_variable == nullptr ? scheduler.first : variable(scheduler.first_variable);
  unsigned const step = scheduler.step_variable != nullptr && is_set(scheduler.step_variable) ? variable(scheduler.step_variable) : 1;
  unsigned const index = variable(scheduler.index);
  if (index < first || step == 0 || (index - first) % step != 0)
    throw gates::Refusal(fmt::format("--shard env: {}: {} is none of the array's numbers", scheduler.index, index));
  return checked(fmt::format("env ({})", scheduler.name), (index - first) / step, variable(scheduler.count));
}

Shard from_environment() {
  const Scheduler* found = nullptr;
  for (const Scheduler& scheduler : schedulers) {
    if (!is_set(scheduler.index)) continue;
    if (found != nullptr)
      throw gates::Refusal(fmt::format("--shard env: {} and {} are both set; give --shard k/n", found->index, scheduler.index));
    found = &scheduler;
  }
  if (found == nullptr)
    throw gates::Refusal(
        "--shard env: none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, CI_NODE_INDEX and MUTATE_JOB_INDEX is set; give --shard k/n");
  return from_scheduler(*found);
}

}  // namespace

Shard shard_of(const std::string& text) {
  if (text == "env") return from_environment();
  auto const slash = text.find('/');
  auto const index = number_of(std::string_view(text).substr(0, slash));
  auto const count = slash == std::string::npos ? std::nullopt : number_of(std::string_view(text).substr(slash + 1));
  std::string const shown = gates::printable(text, 80);
  return index && count && *index > 0 ? checked(shown, *index - 1, *count) : checked(shown, 0, 0);
}

std::string text_of(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); }

}  // namespace redproof::mutants
