// What changed since a commit, asked of git.
#pragma once
#include <filesystem>
#include <string>

#include "mutants/driver/select/diff.h"

namespace redproof::mutants {

// Of the working tree against the commit at which `reference` and HEAD parted, files that git does not track yet included; paths count from
// `root`. Throws gates::Refusal where git or the reference is not there.
Diff diff_since(const std::filesystem::path& root, const std::string& reference);

}  // namespace redproof::mutants
