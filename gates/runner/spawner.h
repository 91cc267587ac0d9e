// A small process that forks for this one. To fork a process that holds the syntax trees of a project costs milliseconds, each time twice.
#pragma once
#include "gates/runner/supervisor.h"

namespace redproof::gates {

// Forks the spawner, while this process is still small: first of all in a program's main. It ends with this process.
void start_spawner();
// Starts the supervisor of `plan`, whose descriptors stay the caller's. False where there is no spawner, or it is gone: then nothing was
// started. Safe from several threads at once.
bool spawn_supervisor(const SupervisionPlan& plan);

}  // namespace redproof::gates
