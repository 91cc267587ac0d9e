#include "mutants/driver/lab/tree_state.h"

#include <sys/stat.h>

#include <utility>

#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {

namespace fs = std::filesystem;

TreeState::TreeState(fs::path tree, const std::vector<std::string>& files) : tree_(std::move(tree)) {
  for (const std::string& file : files) states_[file] = {stamp_of(file), content_of(file)};
}

TreeState::Stamp TreeState::stamp_of(const std::string& file) const {
  struct stat status{};
  if (lstat((tree_ / file).c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
}

std::string TreeState::content_of(const std::string& file) const {
  std::error_code failed;
  fs::path const path = tree_ / file;
  fs::file_status const status = fs::symlink_status(path, failed);
  if (fs::is_symlink(status)) return "link " + fs::read_symlink(path).string();
  return fs::is_regular_file(status) ? sha256_of_file(path) : "absent";
}

std::vector<std::string> TreeState::changed() {
  std::vector<std::string> files;
  for (auto& [file, state] : states_) {
    Stamp const stamp = stamp_of(file);
    if (stamp == state.stamp) continue;
    if (content_of(file) != state.content)
      files.push_back(file);
    else
      state.stamp = stamp;
  }
  return files;
}

void TreeState::forget(const std::vector<std::string>& files) {
  for (const std::string& file : files) states_.erase(file);
}

}  // namespace redproof::mutants
