#pragma once
#include <filesystem>

namespace redproof::engine {

// Whether something stands there, be it a link that leads nowhere: reading that is refused, not passed over. Refusal where the system
// cannot say: a folder that may not be read is not an absent file.
bool file_exists(const std::filesystem::path& file);
bool is_dangling(const std::filesystem::path& file);
inline constexpr const char* dangling = "a link to a file that is not there";

}  // namespace redproof::engine
