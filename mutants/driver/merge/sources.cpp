#include "mutants/driver/merge/sources.h"

#include <fmt/format.h>

#include "gates/runner/printable.h"
#include "gates/runner/read_file.h"
#include "gates/runner/safe_path.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/select/diff.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_diff_bytes = 256u << 20;

// Mutants keep the number of lines, so each new line takes the place of the one with its number.
std::string with_lines(const std::string& before, const std::vector<NewLine>& lines) {
  std::string after;
  std::size_t number = 1, next = 0;
  for (std::size_t at = 0; at < before.size(); ++number) {
    auto const end = std::min(before.find('\n', at), before.size());
    while (next < lines.size() && lines[next].number < number) ++next;
    bool const replaced = next < lines.size() && lines[next].number == number;
    after += replaced ? lines[next].text : before.substr(at, end - at);
    if (end < before.size()) after += '\n';
    at = end + 1;
  }
  return after;
}

std::string source_at(const fs::path& root, const MutatedFile& file) {
  fs::path const path = root / file.path;
  if (fs::exists(path) && gates::stays_below(root, path))
    if (std::string text = read_file(path); sha256(text) == file.before_sha256) return text;
  throw gates::Refusal(fmt::format("{}: is not there as the run saw it; name its tree with --root", gates::printable(path.string())));
}

}  // namespace

void restore_sources(const fs::path& folder, const fs::path& root, PlannedMutant& planned) {
  if (planned.finding.files.empty()) return;
  fs::path const name = folder / "diff" / (planned.mutant.id + ".diff");
  Diff const diff = parse_diff(gates::read_file(name, most_diff_bytes));
  for (MutatedFile& file : planned.finding.files) {
    file.before = source_at(root, file);
    for (const FileDiff& changed : diff)
      if (changed.after == file.path) file.after = with_lines(file.before, changed.lines);
    if (sha256(file.after) != file.after_sha256)
      throw gates::Refusal(gates::printable(name.string()) + ": is not the diff that the plan speaks of");
  }
}

}  // namespace redproof::mutants
