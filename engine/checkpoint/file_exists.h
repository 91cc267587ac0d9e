#pragma once
#include <filesystem>

namespace redproof::engine {

// Whether something stands there, links followed. Refusal where the system cannot say: a folder that may not be read is not an absent file.
bool file_exists(const std::filesystem::path& file);

}  // namespace redproof::engine
