#include "mutants/driver/lab/lab_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/temporary_folder.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

fs::path labs_home() {
  const char* const value = std::getenv("REDPROOF_LAB");
  return value != nullptr && *value != 0 ? fs::path(value) : gates::temporary_folder();
}

// Build tools take these for their own: CMake's lists and variables, make's and ninja's rules, shells' quotes.
void check_characters(const fs::path& lab) {
  for (char const c : lab.string())
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || std::string_view("\"'`\\;$#:|<>&*?").find(c) != std::string_view::npos)
      throw gates::Refusal(fmt::format("{}: build tools cannot take the character \"{}\" in a path; set REDPROOF_LAB to another folder",
                                       gates::printable(lab.string()), gates::printable(std::string_view(&c, 1))));
}

void make_home(const fs::path& home) {
  std::error_code failed;
  fs::create_directories(home, failed);
  if (failed || !fs::is_directory(home, failed))
    throw gates::Refusal(fmt::format("{}: no lab can be made there: {}; set REDPROOF_LAB to a folder that can be written",
                                     gates::printable(home.string()), failed ? failed.message() : "it is no folder"));
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
  if (lock >= 0) errno = 0;
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &held) == 0 && stat(file.c_str(), &there) == 0 &&
      held.st_ino == there.st_ino)
    return lock;
  int const error = lock >= 0 && errno == 0 ? EWOULDBLOCK : errno;
  if (lock >= 0) close(lock);
  errno = error;
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
  check_characters(path_);
  make_home(path_.parent_path());
  int const made = mkdir(path_.c_str(), 0700);
  if (made != 0 && errno != EEXIST)
    throw gates::Refusal(
        fmt::format("{}: cannot be made: {}; set REDPROOF_LAB to a folder that can be written", path_.string(), std::strerror(errno)));
  if (!is_ours(path_)) throw gates::Refusal(path_.string() + ": belongs to someone else; set REDPROOF_LAB to another folder");
  lock_ = take_lock(path_);
  if (lock_ < 0)
    throw gates::Refusal(path_.string() + (errno == EWOULDBLOCK ? ": another mutate runs on this tree"
                                                                : std::string(": cannot be locked: ") + std::strerror(errno)));
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
