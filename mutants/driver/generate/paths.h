// Which files a user means.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace redproof::mutants {

// Files, folders (with all below) and globs (`*` and `?` within a part, `**` over parts), relative to the root; sorted, each once, links
// resolved. What others include as a part of themselves is taken by its name alone. Throws gates::Refusal for one that leads out of the
// root or that names no source.
std::vector<std::string> sources_of(const std::filesystem::path& root, const std::vector<std::string>& paths);

}  // namespace redproof::mutants
