// The process between us and a foreign program: adopts its orphans, and leaves none alive.
#pragma once
#include <cstdint>

namespace redproof::gates {

// Everything that was prepared before the fork; the supervisor allocates nothing.
struct SupervisionPlan {
  const char* program = nullptr;
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  const char* cwd = nullptr;             // null: ours
  int null_fd = -1;                      // becomes stdin
  int output_fd = -1;                    // becomes stdout and stderr
  int report_fd = -1;                    // takes one SupervisionReport
  int control_fd = -1;                   // a byte is a signal to pass on; its end means that we died
  int landlock_fd = -1;                  // -1: no confinement
  std::uint64_t memory_limit_bytes = 0;  // this and the next three: 0 is none, and a lower one that is there stays
  std::uint64_t file_size_limit_bytes = 0;
  std::uint64_t open_files_limit = 0;
  std::uint64_t cpu_limit_s = 0;
  bool own_network = false;
  int grace_ms = 0;  // from the first control byte to SIGKILL
};

enum class StartStage : std::int32_t { none, fork, cwd, limits, confinement, execute };

struct SupervisionReport {
  StartStage failed_stage = StartStage::none;
  std::int32_t failed_errno = 0;
  std::int32_t wait_status = 0;
  std::int32_t strays = 0;
  std::int64_t peak_rss_kib = 0;
  std::int32_t killed_by_us = 0;  // SIGKILL was sent
  std::int32_t network_shut = 0;
  std::int64_t cpu_ms = 0;  // of the program and of what it has waited for
};

// For a process of ours that stands between: a session of its own, no terminal's signal ends it, and nobody who reads our streams waits for
// it. Only async-signal-safe calls.
void detach(int null_fd);
// The whole life of the supervising process, right after fork, only async-signal-safe calls.
[[noreturn]] void supervise(const SupervisionPlan& plan);

}  // namespace redproof::gates
