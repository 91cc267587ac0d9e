// What a machine still has, and how much of it a run may take.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

namespace redproof::mutants {

// What processes can still get without swapping, as the kernel estimates it; nothing where it does not say.
std::optional<std::uint64_t> available_memory_bytes(const std::filesystem::path& meminfo = "/proc/meminfo");

// The lowest limit of the control group that this process is in and of those above it (cgroup 2 and 1); nothing where none has one.
// `own` lists the groups as /proc/self/cgroup does, `mount` is where their folders are.
std::optional<std::uint64_t> group_limit_bytes(const std::filesystem::path& own = "/proc/self/cgroup",
                                               const std::filesystem::path& mount = "/sys/fs/cgroup");
// The machine's memory, or the group's limit where that is lower.
std::uint64_t memory_bytes();
// Most of it, shared out: a mutant that eats memory must not take the machine down.
std::uint64_t memory_share_bytes(unsigned workers);
// As many as there are cores, or as `memory` allows: a compiler and the programs that it makes want a GiB. At least one.
unsigned workers_for(unsigned cores, std::uint64_t memory);

}  // namespace redproof::mutants
