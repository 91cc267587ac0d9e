// The engine's real program, run as a process.
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace redproof::tests {

struct Finished {
  int exit_code;  // -1: ended by a signal
  std::string out;
  std::string err;
};

// Where a stream goes instead of into `out` or `err`; "-" closes it.
struct Streams {
  std::string out, err;
};
Finished run_engine(const std::vector<std::string>& arguments, const Streams& streams = {});

// Whether this machine makes pseudo-terminals: a chroot without /dev/pts does not.
bool has_terminals();
// stdout is a terminal, whose settings change no byte. `out` is what it was sent: less than 4 KiB.
Finished run_engine_on_terminal(const std::vector<std::string>& arguments);

struct Limits {
  std::size_t file_bytes = 0;    // of the largest file that it can write; 0: any
  std::size_t memory_bytes = 0;  // of its address space; 0: any
  bool ignores_hangup = false;   // as nohup starts it
};

// Another program that stands beside the test's own.
Finished run_program(const std::string& name, const std::vector<std::string>& arguments, const Streams& streams = {},
                     const Limits& limits = {});

// Sends the signal once the program has written its first line on stderr.
Finished interrupt_engine(const std::vector<std::string>& arguments, int signal);

// Sends SIGHUP to an engine that was started to ignore it, once it has written its first line on stderr; none where it ended before.
std::optional<Finished> hang_up_on_engine(const std::vector<std::string>& arguments);

// Sends the signal to the program while `file` is there, which the program makes and takes away again; none where it ended before.
std::optional<Finished> interrupt_while(const std::filesystem::path& file, const std::string& name,
                                        const std::vector<std::string>& arguments, int signal);

// The value of a top-level or nested "key" as it stands in JSON text, or "absent". First occurrence.
std::string field_of(const std::string& json, const std::string& key);

}  // namespace redproof::tests
