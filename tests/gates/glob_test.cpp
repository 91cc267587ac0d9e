#include "gates/runner/glob.h"

#include <string>

#include "tests/catch.h"

using redproof::gates::glob_matches;

TEST_CASE("a glob without signs matches itself alone", "[glob]") {
  CHECK(glob_matches("kv_store", "kv_store"));
  CHECK_FALSE(glob_matches("kv_store", "kv_store_bytes"));
  CHECK_FALSE(glob_matches("kv_store", "kv_stor"));
  CHECK(glob_matches("", ""));
  CHECK_FALSE(glob_matches("", "a"));
}

TEST_CASE("a star is any run of characters and a question mark is one", "[glob]") {
  CHECK(glob_matches("kv_*", "kv_"));
  CHECK(glob_matches("*bytes", "kv_store_bytes"));
  CHECK(glob_matches("kv_*_*s", "kv_store_bytes"));
  CHECK_FALSE(glob_matches("kv_*_x*", "kv_store_bytes"));
  CHECK(glob_matches("a?c", "abc"));
  CHECK_FALSE(glob_matches("a?c", "ac"));
  CHECK(glob_matches("*", ""));
  CHECK_FALSE(glob_matches("?", ""));
  CHECK(glob_matches("**a**", "bab"));
}

TEST_CASE("brackets and dots are themselves", "[glob]") {
  CHECK_FALSE(glob_matches("[a]", "a"));
  CHECK(glob_matches("[a]", "[a]"));
  CHECK_FALSE(glob_matches("a.c", "abc"));
}

TEST_CASE("many stars against a long text end soon", "[glob]") {
  std::string const text(20000, 'a');
  CHECK_FALSE(glob_matches("*a*a*a*a*a*a*a*a*b", text));
}
