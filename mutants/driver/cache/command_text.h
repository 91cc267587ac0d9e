// The programs and files that the words of a command name, with all that is loaded when they run.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "mutants/driver/lab/worker.h"

namespace redproof::mutants {

class CommandTexts {
 public:
  explicit CommandTexts(Worker& worker);

  // Of a command that is run in the worker's tree. Throws Interrupted, as all here.
  std::string of(const std::vector<std::string>& argv);
  // The shared libraries of a program.
  const std::string& libraries_of(const std::filesystem::path& program);
  // Why not all of them could be told; empty where they could.
  const std::string& why_not() const { return why_not_; }

 private:
  std::string text_of(const std::string& name);
  std::string libraries_anew(const std::filesystem::path& program);

  Worker& worker_;
  std::filesystem::path tree_;
  std::map<std::filesystem::path, std::string> libraries_;
  std::string why_not_;
};

}  // namespace redproof::mutants
