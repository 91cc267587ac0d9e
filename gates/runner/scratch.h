#pragma once
#include <filesystem>

namespace redproof::gates {

// A fresh private folder, removed with all that is in it when this goes. Its name says which process it belongs to.
class Scratch {
 public:
  // Below `parent`, or below the system's temporary folder where that is empty. `brief`: of a name that says no process, where the parent
  // goes as a whole: a socket's path has to fit behind it. Throws Refusal where none can be made.
  explicit Scratch(const std::filesystem::path& parent, bool brief = false);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  // As fresh, with an empty folder `tmp` in it. What nothing was left in is not made anew: that costs more than a short gate. Throws
  // Refusal.
  void clear();
  const std::filesystem::path& path() const { return path_; }

 private:
  void make();

  std::filesystem::path parent_, path_;
  bool brief_ = false;
};

// Removes what processes of this user that are gone left below `parent` (or the temporary folder). One whose process is in another space of
// process numbers is left alone. Never throws for what cannot be removed.
void sweep_scratch(const std::filesystem::path& parent);

}  // namespace redproof::gates
