// What the kernel says of processes that it killed for want of memory.
#pragma once
#include <cstdint>
#include <string_view>

namespace redproof::gates {

// `oom_kill N` of a memory.events (cgroup 2) or a memory.oom_control (cgroup 1); 0 where it is not there.
std::uint64_t oom_kills_in(std::string_view events);
// Of this process's own control group, which its children share; 0 where the kernel does not tell.
std::uint64_t oom_kills();

}  // namespace redproof::gates
