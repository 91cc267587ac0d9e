#include "mutants/driver/run/sound_files.h"

#include <span>

namespace redproof::mutants {
namespace {

struct Search {
  std::size_t most_unsound;
  const std::function<std::string(const PathSet&)>& why_not;
  SoundFiles found;

  bool has_given_up() const { return found.unsound.size() > most_unsound; }

  // These fail beside all that is sound.
  void divide(std::span<const std::string> files, const std::string& why) {
    if (files.size() == 1) {
      found.unsound[files.front()] = why;
      return;
    }
    auto const unsound_before = found.unsound.size();
    auto const first = files.first(files.size() / 2), rest = files.subspan(files.size() / 2);
    take(first);
    // Beside the whole first half, the rest is all that failed.
    found.unsound.size() == unsound_before ? divide(rest, why) : take(rest);
  }

  void take(std::span<const std::string> files) {
    if (has_given_up()) return;
    PathSet more = found.sound;
    more.insert(files.begin(), files.end());
    if (std::string const why = why_not(more); why.empty())
      found.sound = std::move(more);
    else
      divide(files, why);
  }
};

}  // namespace

SoundFiles sound_among(const std::vector<std::string>& files, const std::string& why_not_all, std::size_t most_unsound,
                       const std::function<std::string(const PathSet&)>& why_not) {
  Search search{most_unsound, why_not, {}};
  search.divide(files, why_not_all);
  return search.found;
}

}  // namespace redproof::mutants
