// Ctrl-C, seen by every loop that waits for a process.
#pragma once

namespace redproof::gates {

// From here on SIGINT, SIGTERM and SIGHUP set the flag instead of ending this process, and a reader that has gone or a file that may not
// grow is a failed write (SIGPIPE and SIGXFSZ are ignored; programs that are run have them as ever). Called once, by a program's main,
// before it writes anything.
void watch_interrupts();
// True once such a signal has come (or interrupt() was called): run_process then ends its processes and returns.
bool interrupted();
// Sets the flag as a signal would.
void interrupt();
// Clears the flag: for tests.
void forget_interrupt();

}  // namespace redproof::gates
