#include "tests/lies/naive.h"

#include <fmt/format.h>

#include "tests/catch.h"

namespace redproof::lies {
namespace {

namespace fs = std::filesystem;

constexpr const char* script_program = R"(#!/bin/sh
pair() { echo $((10 * $1 + $2)); }
echo $((2 * $(pair 1 2))) -1 2
)";

constexpr const char* copying_build = R"(#!/bin/sh
set -e
mkdir -p out
cp src/prog out/prog.new
mv out/prog.new out/prog
)";

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

const std::string Naive::build_and_test = R"sh(./build.sh && test "$(out/prog)" = "24 -1 2")sh";

void use_script(Project& project) {
  write_program(project, "src/prog", script_program);
  write_program(project, "build.sh", copying_build);
  project.write("mutants/lab.json", R"({"build":["./build.sh"],"bin":"out","programs":["out/prog"]})");
}

void write_program(Project& project, const std::string& file, const std::string& text) {
  project.write(file, text);
  fs::permissions(project.root() / file, fs::perms::owner_all);
}

void add_gate(Project& project, const std::string& id, const std::string& argv, const std::string& laws, int timeout_s) {
  project.write("gates/" + id + ".gate.json",
                fmt::format(R"({{"id":"{}","claim":"c","theorem":"t","subjects":["cpu"],"run":{{"argv":{}}},"laws":{},"surface":[],)"
                            R"("needs":[],"timeout_s":{},"blind_spots":[]}})",
                            id, argv, laws, timeout_s));
}

void add_text_mutant(Project& project, const std::string& id, const std::string& file, const std::string& find, const std::string& replace,
                     const std::string& rest) {
  project.add_mutant(
      id, fmt::format(R"("edit":{{"file":"{}","text":{{"find":{},"replace":{}}}}},{})", file, quoted(find), quoted(replace), rest));
}

ProcessResult shell(const fs::path& folder, const std::string& script) {
  gates::ProcessSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.cwd = folder;
  spec.set_env = {{"REDPROOF_BIN", "out"},     {"GIT_AUTHOR_NAME", "a"},       {"GIT_AUTHOR_EMAIL", "a@b"},
                  {"GIT_COMMITTER_NAME", "a"}, {"GIT_COMMITTER_EMAIL", "a@b"}, {"GIT_CONFIG_GLOBAL", "/dev/null"}};
  return gates::run_process(spec);
}

Naive::Naive(const Project& project) : tree_(folder_.path() / "tree") {
  fs::copy(project.root(), tree_, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  REQUIRE(shell(tree_, build_and_test).exit_code == 0);
}

std::string Naive::judge(const std::string& file, const std::string& find, const std::string& replace, const std::string& command) {
  std::string const before = mutants::test::read(tree_ / file);
  std::string after = before;
  if (auto const at = after.find(find); at != std::string::npos) after.replace(at, find.size(), replace);
  mutants::test::write(tree_ / file, after);
  int const code = shell(tree_, command).exit_code;
  mutants::test::write(tree_ / file, before);
  return code == 0 ? "survived" : "killed";
}

bool says(const ProcessResult& result, const std::string& text) {
  bool const found = result.output.find(text) != std::string::npos;
  if (!found) UNSCOPED_INFO(result.output);
  return found;
}

ProcessResult planted(const Project& project, const std::string& planting, std::vector<std::string> words) {
  words.insert(words.end(), {"--planting", planting, "--no-resume"});
  return project.mutate(std::move(words));
}

}  // namespace redproof::lies
