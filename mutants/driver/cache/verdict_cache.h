// Outcomes that every run with the same key would give again, in one file that many runs share.
#pragma once
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "mutants/driver/cache/sqlite.h"
#include "mutants/driver/record.h"

namespace redproof::mutants {

struct CachedVerdict {
  std::string key;
  Record record;
};

// Another process held the file all the while that it was waited for: nothing is wrong with it.
struct CacheBusy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class VerdictCache {
 public:
  // Opens the file, or makes it, and writes to it once unless another does. Throws CacheBusy, and gates::Refusal in one line that says what
  // to do: no database, one of another program or version, damaged, read-only, no room.
  explicit VerdictCache(std::filesystem::path file, int wait_ms = patience_ms);

  // Throws CacheBusy, and gates::Refusal where the file is damaged.
  std::optional<Record> find(const std::string& key);
  // All of them or, where it says why not, none; those in `used` were found in this run, and those that nobody used for a quarter go with
  // whatever is written. Never throws.
  std::string add(const std::vector<CachedVerdict>& fresh, const std::vector<std::string>& used);
  const std::filesystem::path& file() const { return file_; }

 private:
  bool were_used_today(const std::vector<std::string>& keys);
  void write_all(const std::vector<CachedVerdict>& fresh, const std::vector<std::string>& used);

  std::filesystem::path file_;
  std::optional<Database> database_;
};

// Whether another run would give it again: nothing that a clock, the memory, a machine that went bad or a gate that was not there decided.
bool is_settled(const Record& record);

}  // namespace redproof::mutants
