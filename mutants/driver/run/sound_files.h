// Which of many files can be taken together.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace redproof::mutants {

using PathSet = std::set<std::string>;

struct SoundFiles {
  PathSet sound;
  std::map<std::string, std::string> unsound;  // and why
};

// By halves: `why_not` says why a set cannot be taken, or nothing. All of `files` cannot be, for `why_not_all`; those that cannot be taken
// with the sound ones are told from them. Not for long where more than `most_unsound` are, since then they have something in common: the
// rest counts as neither.
SoundFiles sound_among(const std::vector<std::string>& files, const std::string& why_not_all, std::size_t most_unsound,
                       const std::function<std::string(const PathSet&)>& why_not);

}  // namespace redproof::mutants
