#include "tests/mutants/fixture.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "mutants/driver/catalog/catalog.h"
#include "mutants/driver/find/find.h"
#include "mutants/driver/find/parse.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* store_source = R"(namespace demo {
static int pair(int k, int v) { return 10 * k + v; }

int store(int k, int v) {
  if (k < 0) return -1;
  int total = 0;
  total += pair(k, v);
  return total * 2;
}

int count(int n) { return n; }

int guard(int code) {
  volatile int left = 3;
  while (left > 0) left = left - 1;
  return code;
}

long room(long bytes) { return bytes; }
}  // namespace demo
)";

constexpr const char* main_source = R"(extern "C" int printf(const char*, ...);
extern "C" void* malloc(unsigned long);
extern "C" void exit(int);
namespace demo {
int store(int k, int v);
int count(int n);
int guard(int code);
long room(long bytes);
}  // namespace demo
int main() {
  if (demo::room(16) > 1000) {
    printf("std::bad_alloc\n");
    exit(3);
  }
  int const code = demo::guard(0);
  if (code == 1) __builtin_trap();
  if (code == 2) exit(4);
  printf("%d %d %d\n", demo::store(1, 2), demo::store(-1, 2), demo::count(2));
  return 0;
}
)";

constexpr const char* build_script = R"(#!/bin/sh
set -e
mkdir -p out
if [ "$1" = configure ]; then
  printf '[{"directory":"%s","file":"src/store.cpp","arguments":["g++","-std=c++20","-c","src/store.cpp"]}]' "$PWD" >out/compile_commands.json
  exit 0
fi
g++ -std=c++20 -O1 -o out/prog.new src/store.cpp src/main.cpp
mv out/prog.new out/prog
)";

// gate.sh LAW=FIELD=TRUTH...: evidence with one law each.
constexpr const char* gate_script = R"(#!/bin/sh
specs="$*"
out=$("$REDPROOF_BIN/prog" 2>&1)
code=$?
if [ $code -eq 3 ]; then echo "$out"; exit 1; fi
if [ $code -eq 4 ]; then exit 1; fi
if [ $code -ne 0 ]; then kill -SEGV $$; fi
set -- $out
elements=$3 laws= total=0 number=0 status=0
for spec in $specs; do
  law=${spec%%=*} rest=${spec#*=}
  field=${rest%%=*} truth=${rest#*=}
  eval observed=\$$field
  verdict=green failures=0 worst=null
  if [ "$observed" != "$truth" ]; then
    verdict=red failures=1 status=2
    worst="{\"where\":\"field $field\",\"inputs\":\"1 2\",\"observed\":\"$observed\",\"truth\":\"$truth\",\"error\":1.0,\"bound\":0.0}"
  fi
  laws="$laws${laws:+,}{\"law\":\"$law\",\"subject\":\"cpu\",\"verdict\":\"$verdict\",\"reason\":\"\",\"elements\":$elements,\"failures\":$failures,\"population\":{},\"floors\":{},\"separates\":[],\"bound\":\"exact\",\"margin\":null,\"slack\":null,\"worst\":$worst,\"reproduce\":\"by hand\"}"
  total=$((total + elements)) number=$((number + 1))
done
printf '{"nonce":"%s","schema":"redproof.evidence.1","gate":"%s","program":"gate.sh","seed":%s,"laws":[%s],"mutant":null,"end":{"laws":%d,"elements":%d}}' \
  "$REDPROOF_NONCE" "$REDPROOF_GATE" "$REDPROOF_SEED" "$laws" $number $total >"$REDPROOF_EVIDENCE.tmp"
mv "$REDPROOF_EVIDENCE.tmp" "$REDPROOF_EVIDENCE"
exit $status
)";

constexpr const char* lab_config = R"({"configure":["./build.sh","configure"],"build":["./build.sh","{targets}"],
 "compile_commands":"out/compile_commands.json","bin":"out","programs":["out/prog"]})";

std::string gate_file(const std::string& id, const std::string& argv, const std::string& laws) {
  return fmt::format(R"({{"id":"{}","claim":"c","theorem":"t","subjects":["cpu"],"run":{{"argv":{}}},"laws":{},"surface":[],"needs":[],)"
                     R"("timeout_s":3,"blind_spots":[]}})",
                     id, argv, laws);
}

void make_executable(const fs::path& path) { fs::permissions(path, fs::perms::owner_all); }

std::string described(const Finding& finding) {
  if (!finding.broken.empty()) return "broken: " + finding.broken;
  if (!finding.stale.empty()) return "stale: " + finding.stale;
  return finding.files.front().after;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "redproof-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = fs::canonical(name);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

FileSyntax parsed(const std::string& source, const std::string& name) {
  TemporaryFolder const folder;
  write(folder.path() / "a.cpp", source);
  return parse({folder.path(), {folder.path(), folder.path() / "a.cpp", {"-std=c++20"}}, {"a.cpp"}, {name}}).front();
}

std::string edited(const std::string& source, const std::string& edit) {
  TemporaryFolder const folder;
  write(folder.path() / "a.cpp", source);
  write(folder.path() / "compile_commands.json",
        fmt::format(R"([{{"directory":"{}","file":"a.cpp","command":"g++ -std=c++20 -Wall -Werror -fconcepts -c a.cpp"}}])",
                    folder.path().string()));
  std::string const with_file = R"({"file":"a.cpp",)" + edit.substr(edit.find('{') + 1);
  write(folder.path() / "g" / "m.mutant.json",
        fmt::format(R"({{"id":"g/m","defect":"d","edit":{},"targets":[],"reds":{{"build":"x"}}}})", with_file));
  auto const mutants = load_catalog(folder.path());
  return described(find(mutants, {folder.path(), folder.path() / "compile_commands.json", 1}).front());
}

const std::string Project::reds = R"("reds":[{"gate":"pairs","law":"pairs"}])";

Project::Project(const std::string& folder) : root_(folder_.path() / folder) {
  write("src/store.cpp", store_source);
  write("src/main.cpp", main_source);
  write("src/unused.cpp", "int never(int n) { return n + 1; }\n");
  write("build.sh", build_script);
  write("gate.sh", gate_script);
  make_executable(root_ / "build.sh");
  make_executable(root_ / "gate.sh");
  write("gates/both.gate.json", gate_file("both", R"(["./gate.sh","pairs=1=24","signs=2=-1"])", R"(["pairs","signs"])"));
  write("gates/pairs.gate.json", gate_file("pairs", R"(["./gate.sh","pairs=1=24"])", R"(["pairs"])"));
  write("gates/exits.gate.json", gate_file("exits", R"(["sh","-c","test \"$($REDPROOF_BIN/prog | cut -d' ' -f1)\" = 24"])", "[]"));
  write("mutants/lab.json", lab_config);
  fs::create_directories(lab_home());
  setenv("REDPROOF_LAB", lab_home().c_str(), 1);
  unsetenv("REDPROOF_VERDICTS");
}

void Project::add_mutant(const std::string& id, const std::string& fields) {
  write("mutants/" + id + ".mutant.json", fmt::format(R"({{"id":"{}","defect":"one defect","targets":["prog"],{}}})", id, fields));
}

void Project::add_edit(const std::string& id, const std::string& function, const std::string& kind, const std::string& rest) {
  add_mutant(id, fmt::format(R"("edit":{{"file":"src/store.cpp","function":"{}",{}}},{})", function, kind, rest));
}

RunOptions Project::options() const {
  RunOptions options;
  options.root = root_;
  options.catalog = root_ / "mutants";
  options.out = folder_.path() / "mutate.out";
  return options;
}

Record Project::outcome_of(const std::string& id) const {
  RunOptions one = options();
  one.filters = {id};
  return mutants::run(one).records.at(0);
}

gates::ProcessResult Project::mutate(std::vector<std::string> words) const {
  gates::ProcessSpec spec;
  spec.argv = {program_folder() / "mutate", "--catalog", root_ / "mutants", "--out", folder_.path() / "mutate.out"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.cwd = folder_.path();
  return gates::run_process(spec);
}

std::string Project::hash() const {
  std::vector<std::string> lines;
  for (const auto& entry : fs::recursive_directory_iterator(root_)) {
    std::string const path = entry.path().lexically_relative(root_).string();
    if (entry.is_symlink())
      lines.push_back(path + " link " + fs::read_symlink(entry.path()).string());
    else if (entry.is_regular_file())
      lines.push_back(fmt::format("{} {} {}", path, sha256_of_file(entry.path()), static_cast<unsigned>(entry.status().permissions())));
    else
      lines.push_back(path);
  }
  std::sort(lines.begin(), lines.end());
  return sha256(fmt::format("{}", fmt::join(lines, "\n")));
}

fs::path program_folder() { return fs::canonical("/proc/self/exe").parent_path(); }

}  // namespace redproof::mutants::test
