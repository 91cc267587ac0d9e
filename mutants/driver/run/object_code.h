// What the compiler makes of a source, whatever it is called and wherever it stands: equal code does the same.
#pragma once
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "mutants/driver/find/find.h"
#include "mutants/driver/lab/worker.h"

namespace redproof::mutants {

class ObjectCode {
 public:
  // By the commands of a compile database of the worker's tree. Throws gates::Refusal where it cannot be read.
  ObjectCode(const std::filesystem::path& compile_commands, Worker& worker);

  struct Pair {
    std::string before, after;  // SHA-256 of the assembly, without debug information; empty where it cannot be said

    bool same() const { return !before.empty() && before == after; }
  };
  // Of a source before and after its change, by every command that compiles it. Nothing can be said of headers, of CUDA sources, and of
  // what does not compile. `folder` is the caller's own; nothing is written into the tree. Throws Interrupted.
  Pair of(const MutatedFile& file, const std::filesystem::path& folder);

 private:
  std::string hash_of(const std::string& path, const std::string& text, const std::filesystem::path& folder);

  CompileDatabase database_;
  Worker& worker_;
  std::mutex mutex_;
  std::map<std::string, std::string> pristine_;  // by path
};

// The command as one that writes the assembly of `copy` to `assembly`: as if `copy` stood where its source stands. Empty where it is none.
std::vector<std::string> assembly_command(const CompileCommand& command, const std::filesystem::path& copy,
                                          const std::filesystem::path& assembly);

}  // namespace redproof::mutants
