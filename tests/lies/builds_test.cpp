// Rows 3 to 7: what was built of it.
#include "tests/catch.h"
#include "tests/lies/naive.h"

using namespace redproof::lies;

namespace {

constexpr const char* breaks = R"("replace_name":{"name":"pair","with":"no_such_function"})";

}  // namespace

TEST_CASE("lie 3: what does not compile is unviable, with the compiler's words, and no kill", "[lies]") {
  Project project;
  Naive naive(project);
  CHECK(naive.judge("src/store.cpp", "pair(k, v);", "no_such_function(k, v);") == "killed");

  project.add_edit("g/m", "store", breaks);
  for (const char* planting : plantings) {
    auto const ours = planted(project, planting);
    CHECK(ours.exit_code == 7);
    CHECK(says(ours, "unviable        g/m: src/store.cpp:7:"));
    CHECK(says(ours, "no_such_function"));
    CHECK(says(ours, "killed: 0 of 0 judged"));
  }
}

TEST_CASE("lie 4: the program of before does not speak for a mutant whose build failed, said or unsaid", "[lies]") {
  Project project;
  std::string build = redproof::mutants::test::read(project.root() / "build.sh");
  Naive careless(project);
  CHECK(careless.judge("src/store.cpp", "pair(k, v);", "no_such_function(k, v);", R"sh(./build.sh; test "$(out/prog)" = "24 -1 2")sh") ==
        "survived");

  // The build itself hides it.
  write_program(project, "build.sh",
                build.replace(build.find("mv out/prog.new out/prog"), 24, "")
                    .replace(build.find("src/main.cpp\n"), 13, "src/main.cpp && mv out/prog.new out/prog || true\n"));
  Naive hidden(project);
  CHECK(hidden.judge("src/store.cpp", "pair(k, v);", "no_such_function(k, v);") == "survived");
  project.add_edit("g/m", "store", breaks);
  for (const char* planting : plantings) {
    auto const ours = planted(project, planting);
    CHECK(ours.exit_code == 8);
    CHECK(says(ours, "no_evidence     g/m: no program changed: the build ends well although the compiler stops at the changed line"));
  }
}

TEST_CASE("lie 5: a restored file is newer than what was built of it, so that nothing of a mutant stays behind", "[lies]") {
  Project project;
  use_script(project);
  write_program(project, "src/prog", "#!/bin/sh\n. \"$(dirname \"$0\")/pair\"\necho $((2 * $(pair 1 2))) -1 2\n");
  project.write("src/pair", "pair() { echo $((10 * $1 + $2)); }\n");
  project.write("build.ninja",
                "rule copy\n  command = mkdir -p out && cp $in $out\nbuild out/prog: copy src/prog\nbuild out/pair: copy src/pair\n");
  project.write("mutants/lab.json", R"({"build":["ninja"],"bin":"out","programs":["out/prog","out/pair"]})");
  write_program(project, "build.sh", "#!/bin/sh\nninja\n");
  Naive naive(project);
  // Kept aside and moved back, with the times that it had.
  auto const by_copy = [&](const std::string& file, const std::string& edit) {
    return shell(naive.tree(), "cp -p " + file + " kept && sed -i '" + edit + "' " + file + " && " + Naive::build_and_test +
                                   "; r=$?; mv kept " + file + "; exit $r")
                       .exit_code == 0
               ? "survived"
               : "killed";
  };
  CHECK(by_copy("src/prog", "s/^echo/echo  /") == std::string("survived"));
  CHECK(by_copy("src/pair", "s/10/11/") == std::string("killed"));
  CHECK(by_copy("src/prog", "s/^echo/echo  /") == std::string("killed"));  // by the one before

  add_text_mutant(project, "g/a", "src/pair", "10", "11");
  add_text_mutant(project, "g/b", "src/prog", "\necho", "\necho ");
  auto const ours = planted(project, "one_a_build", {"--jobs", "1"});
  CHECK(ours.exit_code == 2);
  CHECK(says(ours, "killed          g/a"));
  CHECK(says(ours, "survived        g/b: gate pairs stayed green"));
}

TEST_CASE("lie 6: a file that is in none of the programs is not reached, and survives nothing", "[lies]") {
  Project project;
  Naive naive(project);
  CHECK(naive.judge("src/unused.cpp", "n + 1", "n + 2") == "survived");

  add_text_mutant(project, "g/m", "src/unused.cpp", "n + 1", "n + 2");
  for (const char* planting : plantings) {
    auto const ours = planted(project, planting);
    CHECK(ours.exit_code == 2);
    CHECK(says(ours, "not_reached     g/m: no program changed, and the changed line is compiled into none of the targets"));
  }
}

TEST_CASE("lie 7: code behind an #if that does not hold is not reached, and no edit of the tree finds it", "[lies]") {
  Project project;
  std::string store = redproof::mutants::test::read(project.root() / "src/store.cpp");
  store.replace(store.find("  return total * 2;"), 19, "#ifdef DOUBLE\n  return total * 4;\n#endif\n  return total * 2;");
  project.write("src/store.cpp", store);
  Naive naive(project);
  CHECK(naive.judge("src/store.cpp", "total * 4", "total * 3") == "survived");

  add_text_mutant(project, "g/text", "src/store.cpp", "total * 4", "total * 3");
  project.add_edit("g/tree", "store", R"("replace_literal":{"literal":"4","with":"3"})");
  for (const char* planting : plantings) {
    auto const ours = planted(project, planting);
    CHECK(ours.exit_code == 2);
    CHECK(says(ours, "not_reached     g/text: no program changed, and the changed line is compiled into none of the targets"));
    CHECK(says(ours, "stale           g/tree: "));
  }
}
