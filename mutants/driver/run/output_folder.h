// mutate.out: everything a run learns, on disk as soon as it is known; the run before it is kept as mutate.out.old.
#pragma once
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "mutants/driver/record.h"

namespace redproof::mutants {

// The records that earlier runs left in PATH.old and PATH, by key; of two, the later one.
std::map<std::string, Record> earlier_records(const std::filesystem::path& path);

// Refuses the project's folder, the working folder and every folder above one of them.
void check_output_is_apart(const std::filesystem::path& path, const std::filesystem::path& root);
// Whether an output folder can be made at `path`, found out before anything else is done: it is apart, no file, no link that leads nowhere,
// no folder that a run did not make, and its parent can be written. Throws gates::Refusal.
void check_output_place(const std::filesystem::path& path, const std::filesystem::path& root);

class OutputFolder {
 public:
  // Throws gates::Refusal where another run writes there, or where it is no folder that a run made.
  explicit OutputFolder(std::filesystem::path path);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  void write_document(const std::string& name, const std::string& document);
  void write_plan(const std::string& document);
  void write_diff(const std::string& id, const std::string& diff);
  void write_log(const std::string& id, const std::string& what, const std::string& log);
  void keep_logs(const std::string& id);  // of the run before, for an outcome that is reused
  // Outlives a kill at once, and a power cut but for the last second. Called by several workers.
  void append(const Record& record);
  // Takes back every outcome so far: they are kept as outcomes.withdrawn.jsonl, where no later run takes them up, and in no list.
  void withdraw();
  const std::filesystem::path& path() const { return path_; }

 private:
  bool sync_from_time_to_time();

  std::filesystem::path path_;
  int folder_ = -1;    // holds the lock
  int outcomes_ = -1;  // outcomes.jsonl
  std::mutex mutex_;
  std::chrono::steady_clock::time_point synced_at_;
};

}  // namespace redproof::mutants
