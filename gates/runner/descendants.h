// The children of this process, found without allocating.
#pragma once

namespace redproof::gates {

// Sends SIGKILL to every process whose parent is this one. Async-signal-safe; /proc is read by system calls, because
// /proc/self/task/*/children is not in every kernel.
void kill_children();

}  // namespace redproof::gates
