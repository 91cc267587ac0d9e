#include "mutants/driver/run/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "gates/runner/atomic_file.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/safe_path.h"
#include "gates/runner/write_file.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

fs::path old_of(const fs::path& path) { return path.string() + ".old"; }

int open_locked(const fs::path& path) {
  int const folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) throw gates::Refusal(path.string() + ": is no folder that can be opened");
  if (flock(folder, LOCK_EX | LOCK_NB) == 0) return folder;
  close(folder);
  throw gates::Refusal(path.string() + ": another mutate writes there");
}

// Nothing is moved away or removed that this program did not make.
void check_made_by_us(const fs::path& path) {
  bool const ours = fs::is_directory(path) && (fs::exists(path / "outcomes.jsonl") || fs::is_empty(path));
  if (!ours) throw gates::Refusal(path.string() + ": holds no outcomes.jsonl, so it is left alone; choose another --out");
}

void rotate(const fs::path& path) {
  int const folder = open_locked(path);
  check_made_by_us(path);
  if (fs::exists(old_of(path))) {
    check_made_by_us(old_of(path));
    fs::remove_all(old_of(path));
  }
  fs::rename(path, old_of(path));
  close(folder);
}

fs::path list_of(const fs::path& folder, Outcome outcome) { return folder / fmt::format("{}.txt", word(outcome)); }

[[noreturn]] void refuse_out(const fs::path& path, const std::string& why) {
  throw gates::Refusal(fmt::format("--out: {}: {}; choose another folder", gates::printable(path.string()), why));
}

// Only making one shows whether a folder can be made: file systems refuse for reasons of their own.
void try_making(const fs::path& path) {
  fs::path parent = path.parent_path();
  std::error_code failed;
  while (!fs::exists(parent, failed) && parent.has_relative_path()) parent = parent.parent_path();
  std::string probe = (parent / "redproof-out-XXXXXX").string();
  if (mkdtemp(probe.data()) == nullptr) refuse_out(path, fmt::format("cannot be made in {}: {}", parent.string(), std::strerror(errno)));
  rmdir(probe.c_str());
}

void read_records(const fs::path& file, std::map<std::string, Record>& records) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (auto record = record_of(line)) records[record->key] = std::move(*record);
}

int open_outcomes(const fs::path& file) {
  int const outcomes = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (outcomes < 0) gates::refuse_unwritten(file);
  return outcomes;
}

}  // namespace

void check_output_is_apart(const fs::path& path, const fs::path& root) {
  if (gates::is_at_or_below(root, path) || gates::is_at_or_below(fs::current_path(), path))
    refuse_out(path, "holds the project or the working folder");
}

void check_output_place(const fs::path& path, const fs::path& root) {
  std::error_code failed;
  check_output_is_apart(path, root);
  if (fs::is_symlink(fs::symlink_status(path, failed)) && !fs::exists(path, failed)) refuse_out(path, "is a link that leads nowhere");
  if (fs::exists(path, failed)) {
    if (!fs::is_directory(path, failed)) refuse_out(path, "is no folder");
    close(open_locked(path));
    check_made_by_us(path);
    if (access(path.c_str(), W_OK | X_OK) != 0) refuse_out(path, std::strerror(errno));
  }
  if (fs::exists(old_of(path), failed)) check_made_by_us(old_of(path));
  try_making(path);
}

std::map<std::string, Record> earlier_records(const fs::path& path) {
  std::map<std::string, Record> records;
  read_records(old_of(path) / "outcomes.jsonl", records);
  read_records(path / "outcomes.jsonl", records);
  return records;
}

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
  if (fs::exists(path_)) rotate(path_);
  fs::create_directories(path_);
  folder_ = open_locked(path_);
  outcomes_ = open_outcomes(path_ / "outcomes.jsonl");
}

OutputFolder::~OutputFolder() {
  fdatasync(outcomes_);
  close(outcomes_);
  close(folder_);
}

void OutputFolder::write_document(const std::string& name, const std::string& document) {
  gates::write_file_atomically(path_ / name, document);
}

void OutputFolder::write_plan(const std::string& document) { write_document("plan.json", document); }

void OutputFolder::write_diff(const std::string& id, const std::string& diff) {
  fs::path const file = path_ / "diff" / (id + ".diff");
  fs::create_directories(file.parent_path());
  gates::write_file_atomically(file, diff, gates::Outlives::kill);
}

void OutputFolder::write_log(const std::string& id, const std::string& what, const std::string& log) {
  fs::path const file = path_ / "logs" / fmt::format("{}.{}.log", id, what);
  fs::create_directories(file.parent_path());
  gates::write_file_atomically(file, log, gates::Outlives::kill);
}

void OutputFolder::keep_logs(const std::string& id) {
  fs::path const group = fs::path("logs") / fs::path(id).parent_path();
  if (!fs::is_directory(old_of(path_) / group)) return;
  fs::create_directories(path_ / group);
  std::string const prefix = fs::path(id).filename().string() + ".";
  for (const auto& entry : fs::directory_iterator(old_of(path_) / group))
    if (entry.path().filename().string().starts_with(prefix))
      fs::copy_file(entry.path(), path_ / group / entry.path().filename(), fs::copy_options::overwrite_existing);
}

void OutputFolder::withdraw() {
  std::lock_guard const guard(mutex_);
  close(outcomes_);
  fs::rename(path_ / "outcomes.jsonl", path_ / "outcomes.withdrawn.jsonl");
  for (Outcome const outcome : all_outcomes) fs::remove(list_of(path_, outcome));
  outcomes_ = open_outcomes(path_ / "outcomes.jsonl");
}

// A sync costs milliseconds, in which no other outcome can be written.
bool OutputFolder::sync_from_time_to_time() {
  auto const now = std::chrono::steady_clock::now();
  if (now - synced_at_ < std::chrono::seconds(1)) return true;
  synced_at_ = now;
  return fdatasync(outcomes_) == 0;
}

void OutputFolder::append(const Record& record) {
  std::lock_guard const guard(mutex_);
  std::string const line = to_json_line(record) + "\n";
  // One write, so that a kill leaves a whole line or none that counts.
  if (!gates::write_all(outcomes_, line) || !sync_from_time_to_time()) gates::refuse_unwritten(path_ / "outcomes.jsonl");
  struct stat facts = {};
  if (fstat(outcomes_, &facts) != 0 || facts.st_nlink == 0)
    throw gates::Refusal((path_ / "outcomes.jsonl").string() + ": was removed while it was written");
  gates::append_to_file(list_of(path_, record.outcome), record.id + "\n");
}

}  // namespace redproof::mutants
