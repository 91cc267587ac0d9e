// A network of its own for a process: nothing but a loopback, so that a program may still talk to itself.
#pragma once
#include <sys/types.h>

namespace redproof::gates {

// Whether this user may: a process of ours has tried it, once.
bool can_leave_network();
// Leaves the network for good, with all that this process starts. False where that was refused. Only async-signal-safe calls; for a process
// with one thread.
bool leave_network();

}  // namespace redproof::gates
