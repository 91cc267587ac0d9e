#include "mutants/driver/cache/sqlite.h"

#include <sqlite3.h>

namespace redproof::mutants {
namespace {

[[noreturn]] void fail(sqlite3* database) { throw SqliteError(sqlite3_errmsg(database), sqlite3_errcode(database)); }

void hold(sqlite3* database, int result) {
  if (result != SQLITE_OK) fail(database);
}

}  // namespace

bool SqliteError::speaks_of_damage() const { return code == SQLITE_NOTADB || code == SQLITE_CORRUPT; }

bool SqliteError::is_busy() const { return code == SQLITE_BUSY; }

Statement::Statement(sqlite3* database, const char* sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  hold(database, sqlite3_prepare_v2(database, sql, -1, &statement, nullptr));
  statement_.reset(statement);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::bind(int place, const std::string& text) {
  hold(database_, sqlite3_bind_text(statement_.get(), place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind(int place, std::int64_t number) {
  hold(database_, sqlite3_bind_int64(statement_.get(), place, number));
  return *this;
}

bool Statement::step() {
  int const result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) fail(database_);
  sqlite3_reset(statement_.get());
  return false;
}

std::string Statement::text(int column) const {
  auto const* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  auto const size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

Database::Database(const std::filesystem::path& file, int wait_ms) {
  sqlite3* database = nullptr;
  int const result = sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  database_.reset(database);
  if (database == nullptr) throw SqliteError("out of memory", SQLITE_NOMEM);
  hold(database, result);
  wait_at_most(wait_ms);
  // The file is another's: what is written in its schema has no rights here.
  hold(database, sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
  hold(database, sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr));
  hold(database, sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr));
  hold(database, sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr));
}

void Database::wait_at_most(int wait_ms) { hold(database_.get(), sqlite3_busy_timeout(database_.get(), wait_ms)); }

void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

void Database::run(const char* sql) { hold(database_.get(), sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr)); }

std::int64_t Database::number(const char* sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.number(0) : 0;
}

bool Database::is_read_only() const { return sqlite3_db_readonly(database_.get(), "main") == 1; }

// Immediate: whoever reads first and writes later could be refused in between.
Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database.run(kind == Kind::writing ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const SqliteError&) {
    return;  // it has rolled back by itself
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace redproof::mutants
