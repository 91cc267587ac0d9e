// A signal that asks for an end, seen between two pieces of work.
#pragma once
#include <exception>

namespace redproof::properties {

struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// From here on SIGINT, SIGTERM and SIGHUP (unless it was ignored) are noted instead of ending this process, and a write past a limit on
// files (SIGXFSZ) or to a reader that has gone (SIGPIPE) fails. Called once, by a program's main.
void watch_interrupts();

// Throws Interrupted once such a signal has come; never where none is watched for.
void stop_if_interrupted();

}  // namespace redproof::properties
