// lab.json: how a private copy of the tree is configured and built, and where its programs stand.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace redproof::mutants {

struct LabConfig {
  std::vector<std::string> configure;              // a command, run once in a fresh tree; may be empty
  std::vector<std::string> build;                  // a command; the word {targets} stands for the mutant's targets, one word each
  std::vector<std::string> targets;                // what is built for generated mutants
  std::vector<std::string> keep_going;             // words behind `build` so that it goes on after an error; may be empty
  std::string compile_commands;                    // relative to the tree, like all below; empty: only text edits
  std::string bin;                                 // the folder of the gate programs
  std::string gates = "gates";                     // the folder of the gate files
  std::vector<std::string> programs;               // files whose hash must change under a mutant
  std::vector<std::string> links;                  // ignored paths that gates read (models): linked into the copy where they exist
  std::optional<std::vector<std::string>> inputs;  // files and folders of the tree that gates read; none named: any
};

// Throws gates::Refusal naming file and field.
LabConfig load_lab_config(const std::filesystem::path& file);
std::vector<std::string> with_targets(const std::vector<std::string>& command, const std::vector<std::string>& targets);

}  // namespace redproof::mutants
