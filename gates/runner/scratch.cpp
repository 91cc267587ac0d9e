#include "gates/runner/scratch.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/temporary_folder.h"

namespace redproof::gates {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "redproof-gate-";

// Numbers of processes are given again; with the time of its start (clock ticks since boot) a process is one alone. 0: there is none.
// Line: `pid (comm) state ppid ...`, where comm may hold anything; the start is field 22.
std::uint64_t start_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line, '\0');
  auto at = line.rfind(')');
  if (at == std::string::npos) return 0;
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  std::uint64_t start = 0;
  if (at != std::string::npos) std::from_chars(line.data() + at + 1, line.data() + line.size(), start);
  return start;
}

// A container that shares the folder has numbers of its own.
std::uint64_t space_of_numbers() {
  struct stat facts = {};
  return stat("/proc/self/ns/pid", &facts) == 0 ? facts.st_ino : 0;
}

bool is_own_folder(const fs::path& path) {
  struct stat facts = {};
  return lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

mode_t mode_of(const fs::path& path) {
  struct stat facts = {};
  return lstat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    entries.push_back(entry->path());
  return entries;
}

// PREFIX SPACE-PID-START-XXXXXX.
bool is_left_behind(const std::string& name) {
  if (!name.starts_with(prefix)) return false;
  std::uint64_t numbers[3] = {};
  char const* at = name.data() + prefix.size();
  char const* const end = name.data() + name.size();
  for (auto& number : numbers) {
    auto const [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc() || stop == end || *stop != '-') return false;
    at = stop + 1;
  }
  if (numbers[0] != space_of_numbers() || numbers[0] == 0 || numbers[2] == 0) return false;
  return start_of(static_cast<pid_t>(numbers[1])) != numbers[2];
}

// A process may have taken its own rights away: give them back first. Never behind a link.
void remove_whole(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(path, error))) fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, error);
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    fs::remove(path, error);
    return;
  }
  for (auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
    if (entry->is_directory(error) && !entry->is_symlink(error))
      fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, error);
  fs::remove_all(path, error);
}

}  // namespace

Scratch::Scratch(const fs::path& parent, bool brief) : parent_(parent), brief_(brief) { make(); }

void Scratch::make() {
  auto const base = parent_.empty() ? temporary_folder() : parent_;
  std::string const owner = fmt::format("{}{}-{}-{}-", prefix, space_of_numbers(), getpid(), start_of(getpid()));
  std::string name = (base / ((brief_ ? "" : owner) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr)
    throw Refusal(fmt::format("{}: no temporary folder can be made: {}", printable(base.string()), std::strerror(errno)));
  path_ = fs::canonical(name);
}

Scratch::~Scratch() { remove_whole(path_); }

void Scratch::clear() {
  if (!is_own_folder(path_) || mode_of(path_) != S_IRWXU) {
    remove_whole(path_);
    make();
  }
  auto const tmp = path_ / "tmp";
  bool kept = false;
  for (const fs::path& path : entries_of(path_)) {
    if (path == tmp && is_own_folder(path) && mode_of(path) == S_IRWXU && entries_of(path).empty())
      kept = true;
    else
      remove_whole(path);
  }
  if (!kept && mkdir(tmp.c_str(), S_IRWXU) != 0)
    throw Refusal(fmt::format("{}: cannot be made: {}", printable(tmp.string()), std::strerror(errno)));
}

void sweep_scratch(const fs::path& parent) {
  auto const base = parent.empty() ? temporary_folder() : parent;
  for (auto const& path : entries_of(base))
    if (is_left_behind(path.filename().string()) && is_own_folder(path)) remove_whole(path);
}

}  // namespace redproof::gates
