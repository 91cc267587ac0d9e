// What the compiler makes of a source, whatever it is called and wherever it stands: equal code does the same.
#pragma once
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mutants/driver/find/find.h"
#include "mutants/driver/lab/worker.h"

namespace redproof::mutants {

class ObjectCode {
 public:
  // By the commands of a compile database of the worker's tree. Throws gates::Refusal where it cannot be read.
  ObjectCode(const std::filesystem::path& compile_commands, Worker& worker);

  struct Pair {
    // SHA-256 of the assembly, of a CUDA source of the object, without debug information; empty where it cannot be said.
    std::string before, after;

    bool same() const { return !before.empty() && before == after; }
  };
  // Of a source before and after its change, by every command that compiles it. Nothing can be said of headers and of what does
  // not compile. `folder` is the caller's own; nothing is written into the tree. Throws Interrupted.
  Pair of(const MutatedFile& file, const std::filesystem::path& folder);

 private:
  std::string hash_of(const std::string& path, const std::string& text, const std::filesystem::path& folder);

  CompileDatabase database_;
  Worker& worker_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::filesystem::path>, std::string> pristine_;  // by path and folder
};

// The command as one that writes what the compiler makes of `copy` to `code`, its assembly, or of a CUDA source its object: as if `copy`
// stood where its source stands. Empty where it is none.
std::vector<std::string> code_command(const CompileCommand& command, const std::filesystem::path& copy, const std::filesystem::path& code);

}  // namespace redproof::mutants
