#include "mutants/driver/cache/toolchain.h"

#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("a program is told by its file, a script by its interpreters too", "[cache]") {
  test::TemporaryFolder const folder;
  std::string const script = folder.path() / "script";
  auto const text = [&](const std::string& content) {
    test::write(script, content);
    return program_text(script, folder.path());
  };
  std::string const by_env = text("#!/usr/bin/env sh\nexit 0\n");
  CHECK(by_env.find("script " + sha256_of_file(script)) == 0);
  CHECK(by_env.find("\n  /usr/bin/env " + sha256_of_file("/usr/bin/env")) != std::string::npos);
  CHECK(by_env.find("\n  sh ") != std::string::npos);
  CHECK(text("#!/usr/bin/env -S A=1 sh -e\n").find("\n  sh ") != std::string::npos);
  CHECK(text("#!/bin/sh -e\n").find("\n  -e") == std::string::npos);
  CHECK(text("#!/bin/sh\n").find("\n  /bin/sh " + sha256_of_file("/bin/sh")) != std::string::npos);
  CHECK(text("#!\n") == "script " + sha256("#!\n") + "\n");
  std::filesystem::remove(script);
  CHECK(program_text(script, folder.path()) == script + "\n");
  CHECK(program_text("no-such-program", folder.path()) == "no-such-program\n");
  CHECK(program_text("sh", folder.path()).find(sha256_of_file(std::filesystem::canonical("/bin/sh"))) != std::string::npos);
}

TEST_CASE("a script that is run by itself or by another has an end", "[cache]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "one", "#!two/two\n");
  test::write(folder.path() / "two/two", "#!./one\n");
  CHECK(executed("./one", folder.path()).size() < 20);
  CHECK(executed("./one", folder.path()).at(1).word == "two/two");
}

TEST_CASE("libraries are told by name and content, those of the tree from its root", "[cache]") {
  test::TemporaryFolder const folder;
  std::string const tree = folder.path() / "tree", inside = tree + "/out/lib.so", outside = folder.path() / "libc.so";
  test::write(inside, "one");
  test::write(outside, "two");
  std::string const output = "\tlinux-vdso.so.1 (0x00)\n\tlib.so => " + inside + " (0x01)\n\tlibc.so => " + outside + " (0x02)\n";
  CHECK(library_lines(output, tree) == outside + " " + sha256("two") + "\nout/lib.so " + sha256("one") + "\n");
  CHECK(library_lines("\t./out/lib.so (0x01)\n", tree) == "out/lib.so " + sha256("one") + "\n");
  CHECK(library_lines("\tnot a dynamic executable\n", tree).empty());
}

TEST_CASE("a launcher is no compiler", "[cache]") {
  std::vector<std::string> const command{"/usr/bin/ccache", "g++", "-c"}, none{"ccache"};
  CHECK(*compiler_of(command) == "g++");
  CHECK(compiler_of(none) == none.end());
}
