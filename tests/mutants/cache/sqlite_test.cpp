#include "mutants/driver/cache/sqlite.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("what is bound comes back, any byte of it", "[cache]") {
  test::TemporaryFolder const folder;
  Database database(folder.path() / "d");
  database.run("CREATE TABLE t (a TEXT, b INTEGER)");
  std::string const text("a\0'b", 4);
  database.prepare("INSERT INTO t VALUES (?, ?)").bind(1, text).bind(2, -7).step();
  Statement row = database.prepare("SELECT a, b FROM t");
  REQUIRE(row.step());
  CHECK(row.text(0) == text);
  CHECK(row.number(1) == -7);
  CHECK_FALSE(row.step());
}

TEST_CASE("a transaction that is not committed leaves nothing", "[cache]") {
  test::TemporaryFolder const folder;
  Database database(folder.path() / "d");
  database.run("CREATE TABLE t (a INTEGER)");
  {
    Transaction const transaction(database);
    database.run("INSERT INTO t VALUES (1)");
  }
  CHECK(database.number("SELECT count(*) FROM t") == 0);
  Transaction transaction(database);
  database.run("INSERT INTO t VALUES (1)");
  transaction.commit();
  CHECK(Database(folder.path() / "d").number("SELECT count(*) FROM t") == 1);
}

TEST_CASE("an error says what SQLite says, and whether it is damage", "[cache]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "text", std::string(5000, 'x'));
  try {
    Database(folder.path() / "text").number("PRAGMA user_version");
    FAIL("a text is no database");
  } catch (const SqliteError& error) {
    CHECK(error.speaks_of_damage());
    CHECK(std::string(error.what()) == "file is not a database");
  }
  CHECK_THROWS_AS(Database(folder.path() / "d").run("SELECT * FROM none"), SqliteError);
  CHECK_THROWS_AS(Database(folder.path()), SqliteError);
}
