#include "mutants/driver/cache/toolchain.h"

#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("the judge's hash is the same twice, and a hash", "[cache]") {
  CHECK(judge_sha256() == judge_sha256());
  CHECK(judge_sha256().size() == 64);
}

TEST_CASE("a program is told by its file, a script by its interpreter too", "[cache]") {
  test::TemporaryFolder const folder;
  std::string const script = folder.path() / "script";
  test::write(script, "#!/usr/bin/env sh\nexit 0\n");
  std::string const text = program_text(script);
  CHECK(text.find("script " + sha256_of_file(script)) == 0);
  CHECK(text.find("\n  /usr/bin/env " + sha256_of_file("/usr/bin/env")) != std::string::npos);
  CHECK(text.find("\n  sh ") != std::string::npos);
  test::write(script, "#!/usr/bin/env sh\nexit 1\n");
  std::filesystem::remove(folder.path() / "script");
  CHECK(program_text(script) == script + "\n");
  CHECK(program_text("no-such-program") == "no-such-program\n");
  CHECK(program_text("sh").find(sha256_of_file(std::filesystem::canonical("/bin/sh"))) != std::string::npos);
}

TEST_CASE("libraries are told by name and content, those of the tree from its root", "[cache]") {
  test::TemporaryFolder const folder;
  std::string const tree = folder.path() / "tree", inside = tree + "/out/lib.so", outside = folder.path() / "libc.so";
  test::write(inside, "one");
  test::write(outside, "two");
  std::string const output = "\tlinux-vdso.so.1 (0x00)\n\tlib.so => " + inside + " (0x01)\n\tlibc.so => " + outside + " (0x02)\n";
  CHECK(library_lines(output, tree) == outside + " " + sha256("two") + "\nout/lib.so " + sha256("one") + "\n");
  CHECK(library_lines("\tnot a dynamic executable\n", tree).empty());
}

TEST_CASE("a launcher is no compiler", "[cache]") {
  std::vector<std::string> const command{"/usr/bin/ccache", "g++", "-c"}, none{"ccache"};
  CHECK(*compiler_of(command) == "g++");
  CHECK(compiler_of(none) == none.end());
}
