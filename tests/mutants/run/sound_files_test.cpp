#include "mutants/driver/run/sound_files.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

std::vector<std::string> letters(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.emplace_back(1, static_cast<char>('a' + i));
  return names;
}

// A set with any of `bad` fails, and says with which.
struct Trial {
  PathSet bad;
  std::vector<PathSet> asked;

  SoundFiles among(std::size_t count, std::size_t most_unsound) {
    auto const why_not = [&](const PathSet& files) {
      PathSet there;
      std::set_intersection(files.begin(), files.end(), bad.begin(), bad.end(), std::inserter(there, there.end()));
      return there.empty() ? std::string() : fmt::format("{}", fmt::join(there, ""));
    };
    auto const all = letters(count);
    return sound_among(all, why_not({all.begin(), all.end()}), most_unsound, [&](const PathSet& files) {
      asked.push_back(files);
      return why_not(files);
    });
  }
};

}  // namespace

TEST_CASE("files that fail are told from the others, wherever they stand and however many", "[run]") {
  for (std::size_t const count : {1u, 2u, 3u, 7u, 8u}) {
    for (unsigned bits = 1; bits < 1u << count; ++bits) {
      CAPTURE(count, bits);
      Trial trial;
      PathSet good;
      auto const all = letters(count);
      for (std::size_t i = 0; i < count; ++i) (bits >> i & 1 ? trial.bad : good).insert(all[i]);
      auto const found = trial.among(count, count);
      CHECK(found.sound == good);
      REQUIRE(found.unsound.size() == trial.bad.size());
      for (auto const& [file, why] : found.unsound) CHECK(why == file);
      // Nothing is asked twice, nor what is known to fail.
      for (auto const& files : trial.asked) {
        CHECK(std::count(trial.asked.begin(), trial.asked.end(), files) == 1);
        CHECK(files.size() < count);
      }
    }
  }
}

TEST_CASE("one file that fails costs two questions for each halving", "[run]") {
  Trial trial{{"f"}, {}};
  trial.among(16, 4);
  CHECK(trial.asked.size() <= 8);
}

TEST_CASE("where too many fail, no more is asked", "[run]") {
  Trial trial{{"a", "b", "c", "d", "e", "f", "g", "h"}, {}};
  auto const found = trial.among(8, 2);
  CHECK(found.unsound.size() == 3);
  CHECK(found.sound.empty());
  CHECK(trial.asked.size() < 8);
}
