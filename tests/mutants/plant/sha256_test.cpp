#include "mutants/driver/plant/sha256.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("hashes are those of FIPS 180-4's examples", "[plant]") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a file is hashed byte for byte, and one that is not there is refused", "[plant]") {
  test::TemporaryFolder const folder;
  std::string const bytes("a\0\r\n", 4);
  test::write(folder.path() / "f", bytes);
  CHECK(sha256_of_file(folder.path() / "f") == sha256(bytes));
  CHECK_THROWS_AS(read_file(folder.path() / "none"), redproof::gates::Refusal);
  CHECK_THROWS_AS(read_file(folder.path()), redproof::gates::Refusal);
}
