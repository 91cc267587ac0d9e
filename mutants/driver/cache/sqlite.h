// The only door to SQLite: a database, its statements, and what it says where it cannot go on.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace redproof::mutants {

struct SqliteError : std::runtime_error {
  SqliteError(const std::string& what, int code_) : std::runtime_error(what), code(code_) {}
  int code;  // SQLITE_FULL and its like

  bool speaks_of_damage() const;
  bool is_busy() const;  // another process held it all the while
};

class Statement {
 public:
  Statement(sqlite3* database, const char* sql);

  Statement& bind(int place, const std::string& text);  // from 1
  Statement& bind(int place, std::int64_t number);
  bool step();  // whether there is a row
  std::string text(int column) const;
  std::int64_t number(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

inline constexpr int patience_ms = 30'000;

// All throw SqliteError. Another process that writes is waited for.
class Database {
 public:
  // Made where it is not there; the file itself is first written by the first transaction.
  explicit Database(const std::filesystem::path& file, int wait_ms = patience_ms);

  Statement prepare(const char* sql) { return {database_.get(), sql}; }
  void run(const char* sql);
  std::int64_t number(const char* sql);  // the first column of the first row
  bool is_read_only() const;
  void wait_at_most(int wait_ms);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> database_;
};

// All of it or nothing: taken back unless it is committed.
class Transaction {
 public:
  enum class Kind { reading, writing };
  explicit Transaction(Database& database, Kind kind = Kind::writing);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace redproof::mutants
