#include "mutants/driver/cache/verdict_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gates/runner/disk_space.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/verdict_words.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t application = 0x52505643;  // "RPVC"
constexpr std::int64_t schema_version = 1;
constexpr std::int64_t days_unused = 90;

// A rollback journal, SQLite's default: a run writes once and shortly, and unlike a write-ahead log it needs no memory that all machines
// share.
constexpr const char* schema =
    "CREATE TABLE verdicts (key TEXT PRIMARY KEY, record TEXT NOT NULL, sha256 TEXT NOT NULL, used_day INTEGER NOT NULL);"
    "CREATE INDEX verdicts_by_day ON verdicts (used_day);"
    "CREATE TABLE opened (seconds INTEGER NOT NULL);"
    "INSERT INTO opened VALUES (0);"
    "PRAGMA application_id = 1380996675;"
    "PRAGMA user_version = 1";

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw gates::Refusal(fmt::format("--cache: {}: {}", gates::printable(file.string()), why));
}

[[noreturn]] void refuse(const fs::path& file, const SqliteError& error) {
  if (error.is_busy())
    throw CacheBusy(fmt::format("the cache {} is left alone: other runs held it for too long", gates::printable(file.string())));
  if (error.speaks_of_damage()) refuse(file, fmt::format("{}; remove it, or name another file", error.what()));
  refuse(file, fmt::format("cannot be used: {}; name a file in a folder that can be written and has room", error.what()));
}

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::int64_t today() { return seconds_now() / 86'400; }

std::string sum_of(const std::string& key, const std::string& record) { return sha256(key + '\n' + record); }

void check_place(const fs::path& file) {
  std::error_code failed;
  fs::file_status const status = fs::status(file, failed);
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse(file, "is no file; name another");
  if (!fs::is_directory(file.parent_path(), failed)) refuse(file, "its folder is not there; make it, or name another file");
  if (gates::is_full(file.parent_path())) refuse(file, "no space left on the device; make room, or name a file elsewhere");
}

// Another program's tables are left as they are.
void check_kind(const fs::path& file, Database& database) {
  bool const ours = database.number("PRAGMA application_id") == application &&
                    database.number("SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')") == 0;
  if (!ours) refuse(file, "is a database of another program; name another file");
  auto const version = database.number("PRAGMA user_version");
  if (version != schema_version)
    refuse(file, fmt::format("is of schema version {}, and this mutate knows version {}; name another file", version, schema_version));
}

bool is_new(Database& database) {
  return database.number("SELECT count(*) FROM sqlite_master") == 0 && database.number("PRAGMA application_id") == 0 &&
         database.number("PRAGMA user_version") == 0;
}

void make(Database& database) {
  Transaction transaction(database);
  if (is_new(database)) database.run(schema);
  transaction.commit();
}

// Others may write meanwhile; what takes long in a large file holds up none but their commits.
void check_content(const fs::path& file, Database& database) {
  Transaction const transaction(database, Transaction::Kind::reading);
  check_kind(file, database);
  Statement check = database.prepare("PRAGMA quick_check(1)");
  if (!check.step() || check.text(0) != "ok") refuse(file, "is damaged; remove it, or name another file");
}

// Whether it can be written shows only when it is: here, or where another is at it.
void check_writing(Database& database) {
  try {
    database.wait_at_most(0);
    Transaction transaction(database);
    database.prepare("UPDATE opened SET seconds = ?").bind(1, seconds_now()).step();
    transaction.commit();
  } catch (const SqliteError& error) {
    if (!error.is_busy()) throw;
  }
}

void open(const fs::path& file, Database& database, int wait_ms) {
  if (database.is_read_only()) refuse(file, "is read-only; make it writable, or name another file");
  if (is_new(database)) make(database);
  check_content(file, database);
  check_writing(database);
  database.wait_at_most(wait_ms);
}

bool was_conclusive(const GateRecord& gate) {
  if (gate.out_of_memory) return false;
  return gate.verdict == gates::word(gates::Verdict::green) || gate.verdict == gates::word(gates::Verdict::red);
}

}  // namespace

VerdictCache::VerdictCache(fs::path file, int wait_ms) : file_(std::move(file)) {
  check_place(file_);
  try {
    database_.emplace(file_, wait_ms);
    open(file_, *database_, wait_ms);
  } catch (const SqliteError& error) {
    refuse(file_, error);
  }
}

std::optional<Record> VerdictCache::find(const std::string& key) {
  try {
    Statement statement = database_->prepare("SELECT record, sha256 FROM verdicts WHERE key = ?");
    if (!statement.bind(1, key).step()) return std::nullopt;
    std::string const text = statement.text(0);
    auto record = statement.text(1) == sum_of(key, text) ? record_of(text) : std::nullopt;
    if (!record) refuse(file_, "is damaged: an outcome is not what was stored; remove it, or name another file");
    return record;
  } catch (const SqliteError& error) {
    refuse(file_, error);
  }
}

std::string VerdictCache::add(const std::vector<CachedVerdict>& fresh, const std::vector<std::string>& used) {
  try {
    if (!fresh.empty() || !were_used_today(used)) write_all(fresh, used);
  } catch (const SqliteError& error) {
    return fmt::format("the outcomes of this run are not in the cache {}: {}", gates::printable(file_.string()), error.what());
  }
  return {};
}

bool VerdictCache::were_used_today(const std::vector<std::string>& keys) {
  Statement statement = database_->prepare("SELECT 1 FROM verdicts WHERE key = ?1 AND used_day <> ?2");
  return std::none_of(keys.begin(), keys.end(), [&](const std::string& key) { return statement.bind(1, key).bind(2, today()).step(); });
}

void VerdictCache::write_all(const std::vector<CachedVerdict>& fresh, const std::vector<std::string>& used) {
  Transaction transaction(*database_);
  for (const auto& [key, record] : fresh) {
    std::string const text = to_json_line(record);
    database_->prepare("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?)")
        .bind(1, key)
        .bind(2, text)
        .bind(3, sum_of(key, text))
        .bind(4, today())
        .step();
  }
  for (const std::string& key : used)
    database_->prepare("UPDATE verdicts SET used_day = ?1 WHERE key = ?2 AND used_day <> ?1").bind(1, today()).bind(2, key).step();
  database_->prepare("DELETE FROM verdicts WHERE used_day < ?").bind(1, today() - days_unused).step();
  transaction.commit();
}

bool is_settled(const Record& record) {
  switch (record.outcome) {
    case Outcome::killed_by_build:
      return record.attempts.empty();
    case Outcome::killed:
    case Outcome::survived:
    case Outcome::not_reached:
    case Outcome::wrong_reason:
    case Outcome::wrong_gate:
    case Outcome::collateral:
    case Outcome::equivalent:
      return record.attempts.empty() && (!record.build.ran || record.build.exit_code == 0) &&
             std::all_of(record.gates.begin(), record.gates.end(), was_conclusive);
    default:
      return false;
  }
}

}  // namespace redproof::mutants
