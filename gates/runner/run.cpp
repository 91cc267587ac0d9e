#include "gates/runner/run.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "gates/runner/disk_space.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/needs.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"

namespace redproof::gates {

namespace {

constexpr std::uint64_t kept_output_bytes = 256 << 10;

std::string fresh_nonce() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) throw Refusal("no random bytes for a nonce");
  std::string nonce;
  for (auto const byte : bytes) nonce += fmt::format("{:02x}", byte);
  return nonce;
}

std::vector<std::string> command_line(const Gate& gate, const RunOptions& options) {
  if (gate.foreign()) return gate.argv;
  return {(options.bin / gate.program).string(), fmt::format("[{}]", gate.tag)};
}

// The runtime of a graphics device opens its device files for writing, and names its threads below /proc.
void allow_graphics_devices(std::vector<std::filesystem::path>& writable) {
  writable.emplace_back("/proc");
  std::error_code failed;
  for (auto const& entry : std::filesystem::directory_iterator("/dev", failed))
    if (entry.path().filename().string().starts_with("nvidia")) writable.push_back(entry.path());
}

bool uses_graphics_device(const Gate& gate) { return std::find(gate.subjects.begin(), gate.subjects.end(), "cuda") != gate.subjects.end(); }

ProcessSpec process_for(const Gate& gate, const RunOptions& options, const std::filesystem::path& folder, const std::string& nonce) {
  ProcessSpec spec;
  spec.argv = command_line(gate, options);
  spec.cwd = options.root;
  spec.unset_env = {"REDPROOF_SUBJECT", "REDPROOF_LAWS"};
  spec.set_env = {{"REDPROOF_EVIDENCE", (folder / "evidence.json").string()},
                  {"REDPROOF_NONCE", nonce},
                  {"REDPROOF_GATE", gate.id},
                  {"REDPROOF_SEED", fmt::format("{}", options.seed)},
                  {"REDPROOF_BIN", options.bin.string()},
                  {"TMPDIR", (folder / "tmp").string()}};
  if (options.subject) spec.set_env.emplace_back("REDPROOF_SUBJECT", *options.subject);
  if (gate.these_laws_only) spec.set_env.emplace_back("REDPROOF_LAWS", fmt::format("{}", fmt::join(gate.laws, ",")));
  spec.set_env.insert(spec.set_env.end(), options.set_env.begin(), options.set_env.end());
  auto const timeout = std::chrono::duration<double>(gate.timeout) * std::max(options.timeout_factor, 0.0);
  spec.timeout = std::max(std::chrono::milliseconds(1), std::chrono::duration_cast<std::chrono::milliseconds>(timeout));
  spec.memory_limit_bytes = options.memory_limit_bytes;
  spec.file_size_limit_bytes = options.file_size_limit_bytes;
  spec.open_files_limit = options.open_files_limit;
  spec.own_network = options.own_network && !gate.network;
  spec.output_limit_bytes = kept_output_bytes;
  spec.writable_roots = options.writable_roots;
  if (!spec.writable_roots.empty()) spec.writable_roots.push_back(folder);
  if (!spec.writable_roots.empty() && uses_graphics_device(gate)) allow_graphics_devices(spec.writable_roots);
  return spec;
}

// Evidence under another seed would be of other inputs than those that the run announces.
void check_seed(EvidenceReading& reading, std::uint64_t seed) {
  if (!reading.evidence || reading.evidence->seed == seed) return;
  reading.broken = fmt::format("evidence: seed: is {}, not {}", reading.evidence->seed, seed);
  reading.evidence.reset();
}

GateResult skipped(const Gate& gate, const std::string& need) {
  GateResult result;
  result.id = gate.id;
  result.stage = gate.stage;
  result.verdict = Verdict::skipped;
  result.reason = "needs " + printable(need, 200);
  result.evidence.gate = gate.id;
  return result;
}

// The gates still to be run, shared by the threads.
class Queue {
 public:
  Queue(const std::vector<Gate>& gates, const RunOptions& options, const std::function<void(const GateResult&)>& on_result)
      : gates_(gates), options_(options), on_result_(on_result), results_(gates.size()) {}

  void work() {
    for (std::size_t i = next_++; i < gates_.size() && !interrupted(); i = next_++) {
      try {
        auto result = run_gate(gates_[i], options_);
        if (!result.process.interrupted) keep(i, std::move(result));
      } catch (...) {
        fail(std::current_exception());
        return;
      }
    }
  }

  std::vector<GateResult> take() {
    if (failure_) std::rethrow_exception(failure_);
    std::vector<GateResult> finished;
    for (auto& result : results_)
      if (result) finished.push_back(std::move(*result));
    return finished;
  }

 private:
  void keep(std::size_t at, GateResult result) {
    std::lock_guard const lock(mutex_);
    results_[at] = std::move(result);
    if (on_result_) on_result_(*results_[at]);
  }

  void fail(std::exception_ptr failure) {
    std::lock_guard const lock(mutex_);
    next_ = gates_.size();
    if (!failure_) failure_ = std::move(failure);
  }

  const std::vector<Gate>& gates_;
  const RunOptions& options_;
  const std::function<void(const GateResult&)>& on_result_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::vector<std::optional<GateResult>> results_;
  std::exception_ptr failure_;
};

}  // namespace

GateResult run_gate(const Gate& gate, const RunOptions& options) {
  if (auto const need = missing_need(gate, options.root, options.bin)) return skipped(gate, *need);
  std::optional<Scratch> fresh;
  Scratch& scratch = options.kept != nullptr ? *options.kept : fresh.emplace(options.scratch, !options.scratch.empty());
  scratch.clear();
  auto const nonce = fresh_nonce();
  GateResult result;
  result.id = gate.id;
  result.stage = gate.stage;
  ProcessSpec const spec = process_for(gate, options, scratch.path(), nonce);
  result.limit_seconds = std::chrono::duration<double>(spec.timeout).count();
  result.process = run_process(spec);
  result.seconds = result.process.wall_seconds;
  auto reading = read_evidence(scratch.path() / "evidence.json", nonce, gate.id);
  check_seed(reading, options.seed);
  auto judgement = judge(gate, result.process, reading);
  result.verdict = judgement.verdict;
  result.reason = std::move(judgement.reason);
  result.evidence.gate = gate.id;
  if (reading.evidence) result.evidence = std::move(*reading.evidence);
  result.in_full_disk = !is_green(result.verdict) && is_full(scratch.path());
  result.evidence.exit_code_only = reading.absent && gate.foreign() && gate.laws.empty();
  return result;
}

std::vector<GateResult> run_gates(const std::vector<Gate>& gates, const RunOptions& options, unsigned jobs,
                                  const std::function<void(const GateResult&)>& on_result) {
  if (!gates.empty() && options.scratch.empty()) sweep_scratch({});
  Queue queue(gates, options, on_result);
  std::vector<std::thread> threads;
  auto const count = options.kept != nullptr ? 1 : std::clamp<std::size_t>(jobs, 1, std::max<std::size_t>(gates.size(), 1));
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back([&queue] { queue.work(); });
  queue.work();
  for (auto& thread : threads) thread.join();
  return queue.take();
}

}  // namespace redproof::gates
