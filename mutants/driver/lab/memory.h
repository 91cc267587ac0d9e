// What a machine still has.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

namespace redproof::mutants {

// What processes can still get without swapping, as the kernel estimates it; nothing where it does not say.
std::optional<std::uint64_t> available_memory_bytes(const std::filesystem::path& meminfo = "/proc/meminfo");

// Most of the machine's memory, shared out: a mutant that eats memory must not take the machine down.
std::uint64_t memory_share_bytes(unsigned workers);

}  // namespace redproof::mutants
