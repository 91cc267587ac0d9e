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

TEST_CASE("of a program, the process number in the names of nvcc's temporary files does not count, and all else does", "[plant]") {
  test::TemporaryFolder const folder;
  auto const hash_of = [&](const std::string& text) {
    test::write(folder.path() / "p", text);
    return sha256_of_program(folder.path() / "p");
  };
  std::string const name = hash_of("x tmpxft_00001149_00000000-6_tiles y tmpxft_0000abcd_1");
  CHECK(hash_of("x tmpxft_00001512_00000000-6_tiles y tmpxft_0000abce_1") == name);
  CHECK(hash_of("x tmpxft_00001149_00000001-6_tiles y tmpxft_0000abcd_1") != name);
  CHECK(hash_of("x tmpxft_00001149_00000000-6_tiles z tmpxft_0000abcd_1") != name);
  CHECK(hash_of("tmpxft_0000114_") != hash_of("tmpxft_0000115_"));
  CHECK(hash_of("tmpxft_00001149") != hash_of("tmpxft_00001512"));
  CHECK(hash_of("tmpxft_0000114g_") != hash_of("tmpxft_0000115g_"));
  CHECK(hash_of("plain") == sha256("plain"));
}
