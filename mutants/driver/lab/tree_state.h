// What the files of a private tree hold, to tell whether a build or a program has changed one.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace redproof::mutants {

class TreeState {
 public:
  // As they are now; a file that is not there counts too.
  TreeState(std::filesystem::path tree, const std::vector<std::string>& files);
  // Those that hold something else, lead elsewhere or are gone. Only what was written since is read again.
  std::vector<std::string> changed();
  void forget(const std::vector<std::string>& files);

 private:
  // Inode, size, and the time of the last change of any kind, which no program can set.
  using Stamp = std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;
  struct State {
    Stamp stamp;
    std::string content;
  };
  Stamp stamp_of(const std::string& file) const;
  std::string content_of(const std::string& file) const;

  std::filesystem::path tree_;
  std::map<std::string, State> states_;
};

}  // namespace redproof::mutants
