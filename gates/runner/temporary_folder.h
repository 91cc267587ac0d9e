#pragma once
#include <filesystem>

namespace redproof::gates {

// TMPDIR, or /tmp where that is not set or empty. Throws Refusal naming it where it is no folder that can be written; it is never made.
std::filesystem::path temporary_folder();

}  // namespace redproof::gates
