#include "mutants/driver/lab/disk_error.h"

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("a failure of the file system names the place and what may be done", "[lab]") {
  std::error_code const full = std::make_error_code(std::errc::no_space_on_device);
  std::string const advice = "; REDPROOF_LAB chooses another place for the lab, --out another output folder";
  CHECK(told(std::filesystem::filesystem_error("cannot copy", "/from", "/to", full)) == "/to: No space left on device" + advice);
  CHECK(told(std::filesystem::filesystem_error("cannot make", "/x", full)) == "/x: No space left on device" + advice);
}

TEST_CASE("a file that may not be so large is told by the limit", "[lab]") {
  std::error_code const large = std::make_error_code(std::errc::file_too_large);
  CHECK(told(std::filesystem::filesystem_error("cannot copy", "/from", "/to", large)) ==
        "/to: File too large; the limit on the size of files (ulimit -f) is too low");
  CHECK(speaks_of_a_size_limit("g++: fatal error: File size limit exceeded signal terminated program cc1plus\n"));
  CHECK_FALSE(speaks_of_a_size_limit("a.cpp:1: error: no\n"));
}

TEST_CASE("a log that speaks of a full disk is known", "[lab]") {
  CHECK(speaks_of_a_full_disk("a.o: No space left on device\n"));
  CHECK_FALSE(speaks_of_a_full_disk("a.cpp:1: error: no\n"));
}
