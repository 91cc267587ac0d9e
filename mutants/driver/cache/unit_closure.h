// All that decides what a compiler makes of a source, whichever of its functions are changed: its command, and each file that it reads.
#pragma once
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/find/compile_database.h"
#include "mutants/driver/lab/worker.h"

namespace redproof::mutants {

class UnitClosures {
 public:
  explicit UnitClosures(Worker& worker);

  // Side by side, in folders of the worker. Throws Interrupted.
  void make(const std::vector<const CompileCommand*>& units, unsigned jobs);
  // SHA-256, the same in any folder. Nothing where the compiler does not say what it reads, for CUDA, and where files decide that are not
  // included. Only of units that were made.
  const std::optional<std::string>& of(const CompileCommand* unit) const { return closures_.at(unit); }

 private:
  std::optional<std::string> closure(const CompileCommand& unit, const std::filesystem::path& folder);
  std::optional<std::string> described(const std::filesystem::path& file);
  std::optional<std::string> described_anew(const std::string& file) const;

  Worker& worker_;
  std::filesystem::path tree_;
  std::mutex mutex_;
  std::map<const CompileCommand*, std::optional<std::string>> closures_;
  std::map<std::string, std::optional<std::string>> files_;  // by path
};

// The command as one that writes the files that it reads to `rule`, as a rule of make. Empty where it names no compiler.
std::vector<std::string> dependency_command(const CompileCommand& command, const std::filesystem::path& rule);
// The prerequisites of the first rule.
std::vector<std::string> prerequisites_of(const std::string& rule);

}  // namespace redproof::mutants
