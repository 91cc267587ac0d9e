// The user's tree, read and copied, never written.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace redproof::mutants {

// What git tracks and what it does not ignore; without git, everything but build folders. Relative, sorted; `excluded` is a folder to leave
// out (the output folder; its NAME.old goes with it). Files that are deleted in the working tree are left out. Throws gates::Refusal for a
// folder that cannot be read, as copy_tree does for a file.
std::vector<std::string> tree_files(const std::filesystem::path& root, const std::filesystem::path& excluded);

// Folders of the root's submodules that hold nothing, as they are not checked out.
std::vector<std::string> empty_submodules(const std::filesystem::path& root);

// Copies files and links; who runs this may write the copies. A link to a place inside `from` leads to that place inside `to`. An interrupt
// ends it early.
void copy_tree(const std::filesystem::path& from, const std::vector<std::string>& files, const std::filesystem::path& to);

// Over paths and contents, less what `skip_suffix` ends: equal trees, equal hashes.
std::string tree_sha256(const std::filesystem::path& root, const std::vector<std::string>& files, const std::string& skip_suffix);

}  // namespace redproof::mutants
