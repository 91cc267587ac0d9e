// All mutants in one tree: every function that holds some gets a second entrance.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "mutants/driver/find/find.h"

namespace redproof::mutants {

// One mutant, by its number from 1, as it stands in the pristine files.
struct Candidate {
  unsigned mutant = 0;
  const std::vector<MutatedFile>* files = nullptr;
};

struct HostFunction {
  std::string path, name;
  std::size_t line = 0;
  bool is_constexpr = false;  // the compiler may have run it already, and then no entrance sees it
  bool on_device = false;     // it has an entrance in code of a device
};

struct Rewritten {
  std::vector<MutatedFile> files;                          // without `replacements`
  std::vector<HostFunction> functions;                     // by number
  std::map<unsigned, std::vector<unsigned>> functions_of;  // by mutant
  std::map<unsigned, std::string> left_out;                // why a mutant has to be built by itself
};

// The numbers of those that run on a device.
std::vector<unsigned> functions_on_device(const Rewritten& rewritten);

// `runtime` is the path of the runtime's header as the files shall include it. Where code of a device is rewritten, so is whatever launches
// kernels in `files`.
Rewritten rewrite(const std::vector<Candidate>& candidates, const std::map<std::string, FileSyntax>& files,
                  const std::filesystem::path& runtime);

}  // namespace redproof::mutants
