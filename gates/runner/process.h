// One foreign process: started, limited, drained, and gone with all its descendants when run_process returns.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace redproof::gates {

struct ProcessSpec {
  std::vector<std::string> argv;                             // argv[0] without a slash is looked up in the PATH of the process
  std::filesystem::path cwd;                                 // empty: ours
  std::vector<std::pair<std::string, std::string>> set_env;  // over our own environment
  std::vector<std::string> unset_env;                        // removed before set_env is applied
  std::chrono::milliseconds timeout{0};                      // 0: none
  std::chrono::milliseconds grace{1000};                     // between SIGTERM (or the forwarded SIGINT) and SIGKILL
  std::uint64_t memory_limit_bytes = 0;                      // RLIMIT_DATA (private writable memory, a process each), or less; 0: ours
  std::uint64_t file_size_limit_bytes = 0;                   // RLIMIT_FSIZE, or less where our own is lower; 0: ours
  std::uint64_t open_files_limit = 0;                        // RLIMIT_NOFILE, or less; 0: ours
  std::chrono::seconds cpu_limit{0};                         // RLIMIT_CPU (a process each), or less; 0: the timeout on all cores
  bool own_network = false;                                  // nothing but a loopback of its own, where the kernel allows it
  std::uint64_t output_limit_bytes = 1 << 20;                // what is kept; everything is drained
  std::vector<std::filesystem::path> writable_roots;  // Landlock: may write only there (and to /dev/null and its like); empty: anywhere
};

struct ProcessResult {
  int exit_code = -1;              // -1 where a signal ended it; 127 not found, 126 not executable (then start_error says why)
  int signal = 0;                  // the signal that ended it, or 0
  std::string start_error;         // why the program was never run; empty where it ran
  bool timed_out = false;          // by the clock, or by the limit on processor time
  bool interrupted = false;        // ended because of interrupted()
  bool oom = false;                // see ran_out_of_memory()
  std::string output;              // stdout and stderr as they came: the first and the last half of the limit
  std::uint64_t output_bytes = 0;  // all that was written
  bool truncated = false;
  double wall_seconds = 0;
  std::uint64_t peak_rss_bytes = 0;
  int strays = 0;                 // descendants that were still there when it ended, all killed
  bool landlock_applied = false;  // false with writable_roots: this kernel has none, so nothing was restricted
  bool network_shut = false;      // false with own_network: this kernel does not let us, so the network was there

  // Ran to its own end: neither a signal, nor a timeout, nor an interrupt, nor a failure to start.
  bool ended_by_itself() const { return start_error.empty() && signal == 0 && !timed_out && !interrupted && exit_code >= 0; }
};

// A failure under a memory limit whose output speaks of memory, or a SIGKILL while the kernel counted one for want of memory in our control
// group. A SIGKILL alone says nothing: anybody can send one. `kernel_kills` were counted while it ran.
bool ran_out_of_memory(const ProcessSpec& spec, const ProcessResult& result, std::uint64_t kernel_kills);

// Own session, no terminal, stdin from /dev/null, no descriptor of ours, no core file. Safe from several threads at once. A supervising
// process stands between: it adopts and kills daemons, and kills everything when this process dies. Never throws for what the program does.
ProcessResult run_process(const ProcessSpec& spec);

}  // namespace redproof::gates
