#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace redproof::gates {

// The bytes of a regular file of at most `most` bytes. Throws Refusal naming the path for anything else: a pipe or a device is never waited
// for, and a file that grows while it is read is still cut off. `follow` = false refuses a symbolic link.
std::string read_file(const std::filesystem::path& path, std::uint64_t most, bool follow = true);

}  // namespace redproof::gates
