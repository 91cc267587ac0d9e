#pragma once
#include <filesystem>

namespace redproof::properties::cli {

// Refusal, naming what stands in the way: no folder, or one that is neither empty nor a checkpoint that this program wrote. A checkpoint of
// the same file names that came from elsewhere is told by its config.json.
void require_own_checkpoint(const std::filesystem::path& dir);

// Empties a folder. Refusal, with nothing removed, where it holds anything but files of the names that this program writes.
void remove_own_files(const std::filesystem::path& dir);

}  // namespace redproof::properties::cli
