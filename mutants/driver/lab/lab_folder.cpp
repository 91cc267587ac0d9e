#include "mutants/driver/lab/lab_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "gates/runner/refusal.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

fs::path labs_home() {
  for (const char* name : {"REDPROOF_LAB", "TMPDIR"})
    if (const char* const value = std::getenv(name); value != nullptr && *value != 0) return value;
  return "/tmp";
}

// A folder, no link, that belongs to this user: /tmp is shared.
bool is_ours(const fs::path& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

// The lock on LAB/lock, or -1. The file may have been removed by its last holder between open and lock, so it is looked at again.
int take_lock(const fs::path& lab) {
  fs::path const file = lab / "lock";
  int const lock = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  struct stat held{}, there{};
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &held) == 0 && stat(file.c_str(), &there) == 0 &&
      held.st_ino == there.st_ino)
    return lock;
  if (lock >= 0) close(lock);
  return -1;
}

// A mutated program may have left folders that cannot be entered.
void remove_whole(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (!failed) return;
  for (auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, failed);
       !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed))
    if (entry->is_directory(failed) && !entry->is_symlink(failed)) fs::permissions(entry->path(), fs::perms::owner_all, failed);
  fs::remove_all(path, failed);
}

void empty_out(const fs::path& lab) {
  for (const auto& entry : fs::directory_iterator(lab))
    if (entry.path().filename() != "lock") remove_whole(entry.path());
}

void remove_dead_labs(const fs::path& home, const fs::path& own) {
  std::string const prefix = fmt::format("redproof-lab-{}-", geteuid());
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(home, failed)) {
    bool const lab = entry.path().filename().string().starts_with(prefix) && entry.path() != own;
    if (!lab || !is_ours(entry.path()) || fs::exists(entry.path() / "kept")) continue;
    int const lock = take_lock(entry.path());
    if (lock < 0) continue;
    remove_whole(entry.path());
    close(lock);
  }
}

}  // namespace

fs::path lab_path(const fs::path& root) {
  return fs::absolute(labs_home()) /
         fmt::format("redproof-lab-{}-{}", geteuid(), sha256(fs::weakly_canonical(root).string()).substr(0, 12));
}

LabFolder::LabFolder(const fs::path& root) : path_(lab_path(root)) {
  fs::create_directories(path_.parent_path());
  if (mkdir(path_.c_str(), 0700) != 0 && !is_ours(path_))
    throw gates::Refusal(path_.string() + ": cannot be made, or belongs to someone else");
  lock_ = take_lock(path_);
  if (lock_ < 0) throw gates::Refusal(path_.string() + ": another mutate runs on this tree");
  remove_dead_labs(path_.parent_path(), path_);
  empty_out(path_);
}

LabFolder::~LabFolder() {
  if (!keep_) remove_whole(path_);
  close(lock_);
}

void LabFolder::keep() {
  std::ofstream(path_ / "kept") << "kept\n";
  keep_ = true;
}

}  // namespace redproof::mutants
