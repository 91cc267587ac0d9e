#pragma once
#include <filesystem>
#include <string>

namespace redproof::properties::cli {

// Folders made to hold another one: they go again unless they are kept.
class MadeParents {
 public:
  explicit MadeParents(const std::filesystem::path& innermost);  // Refusal where one cannot be made
  ~MadeParents();
  MadeParents(const MadeParents&) = delete;
  MadeParents& operator=(const MadeParents&) = delete;

  void keep() { outermost_.clear(); }

 private:
  void remove();

  std::filesystem::path innermost_;
  std::filesystem::path outermost_;  // empty: none was made
};

// A folder that one process holds, until it lets go or ends in whatever way.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);  // Refusal: no folder, or another process holds it
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

// A folder that grows beside its name, as NAME.tmp, and takes the name once all of it is there. Unless it is placed it goes again.
class GrowingFolder {
 public:
  // Refusal, with nothing changed: a name that is no folder's, a folder whose files this program did not write, the current folder, another
  // run at work on the same one. What a killed run left as NAME.tmp is emptied and taken over.
  explicit GrowingFolder(const std::string& name);
  ~GrowingFolder();
  GrowingFolder(const GrowingFolder&) = delete;
  GrowingFolder& operator=(const GrowingFolder&) = delete;

  const std::filesystem::path& path() const { return growing_; }

  // In one step: the name holds what it held before, or all that grew and nothing else.
  void place();

 private:
  void replace();

  std::filesystem::path dir_;
  std::filesystem::path growing_;
  MadeParents parents_;
  FolderLock lock_;
  bool placed_ = false;
};

}  // namespace redproof::properties::cli
