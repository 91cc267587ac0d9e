// Files that are written whole or not at all.
#pragma once
#include <filesystem>
#include <string_view>

namespace redproof::gates {

// What a file that is written outlives: a kill of this process, or a power cut too, which costs milliseconds.
enum class Outlives { kill, power_cut };

// Writes PATH.tmp.PID, syncs it, renames it to PATH and syncs the folder (neither sync where it is to outlive a kill alone). A PATH that
// is a device or a pipe is written in place; where it is a link, its target is what is written. Throws Refusal naming the path where any
// step fails; then PATH is as it was and no temporary file stays.
void write_file_atomically(const std::filesystem::path& path, std::string_view content, Outlives outlives = Outlives::power_cut);

// Throws Refusal, in one line that says what to do, where write_file_atomically could not write PATH now. A file that is there is not
// touched, and none is left. What is known before work is done is said before it.
void require_writable(const std::filesystem::path& path);

}  // namespace redproof::gates
