#include "mutants/driver/run/probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "mutants/driver/find/source_file.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

// The start of the first line that differs; an earlier one where the line before ends in a backslash.
std::size_t probe_place(const MutatedFile& file) {
  auto const at = std::mismatch(file.before.begin(), file.before.end(), file.after.begin(), file.after.end()).first - file.before.begin();
  std::size_t line = static_cast<std::size_t>(at);
  while (line > 0 && (file.before[line - 1] != '\n' || (line > 1 && file.before[line - 2] == '\\'))) --line;
  return line;
}

}  // namespace

std::vector<MutatedFile> probe_files(const std::vector<MutatedFile>& files) {
  std::vector<MutatedFile> probes;
  for (const MutatedFile& file : files) {
    if (!is_source(file.path)) continue;
    MutatedFile probe = file;
    probe.after = file.before;
    probe.after.insert(probe_place(file), fmt::format("#error {}\n", probe_message));
    probe.after_sha256 = sha256(probe.after);
    probes.push_back(std::move(probe));
  }
  return probes;
}

}  // namespace redproof::mutants
