// Which of the catalogue's mutants a run takes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/catalog/mutant.h"
#include "mutants/driver/find/find.h"
#include "mutants/driver/select/diff.h"
#include "mutants/driver/select/killers.h"
#include "mutants/driver/select/shard.h"

namespace redproof::mutants {

struct Selection {
  std::vector<std::string> files;      // globs over the edited files
  std::vector<std::string> functions;  // plain or qualified
  std::optional<Diff> diff;
  std::size_t sample = 0;  // 0: all
  Shard shard;
};

// Those whose edits lie in one of the files and in one of the functions. A word that no mutant of the catalogue fits is refused.
std::vector<Mutant> select_by_place(const std::vector<Mutant>& mutants, const Selection& selection);

// By name alone, before anything is parsed: the killers changed, or the diff names an edited file. `root`: whose links are resolved.
std::vector<Mutant> select_by_path(const std::vector<Mutant>& mutants, const std::set<std::string>& paths, const ChangedKillers& killers,
                                   const std::filesystem::path& root);

// Of a file that holds mutants: first and last line of each function, variable and record.
struct LineSpan {
  std::size_t first = 0;
  std::size_t last = 0;
};
using Spans = std::map<std::string, std::vector<LineSpan>>;
Spans spans_of(const std::map<std::string, FileSyntax>& syntax);

// Whether the diff touches a line that the edits change, or a function that holds one, of what was found.
bool is_touched(const Finding& finding, const Diff& diff, const Spans& spans);
// The paths of found files that the diff names.
std::vector<std::string> files_to_parse(const std::vector<Finding>& findings, const Diff& diff);

// Positions of `size` of them, in their order, drawn by seed and id: a mutant more or less moves no other.
std::vector<std::size_t> sample_of(const std::vector<std::string>& ids, std::size_t size, std::uint64_t seed);

}  // namespace redproof::mutants
