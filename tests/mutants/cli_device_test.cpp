// The program `mutate` on a small project of CUDA: mutants of kernels chosen at run time. tests/mutants/schemata/cuda is the project, and
// its expected.txt what becomes of each mutant where there is a device and no build of its own to fall back on.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "gates/runner/json_document.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/nvcc.h"
#include "tests/skip.h"

using redproof::gates::ProcessResult;
namespace fs = std::filesystem;
namespace test = redproof::mutants::test;

namespace {

struct CudaProject {
  test::TemporaryFolder folder;
  std::string compiler = test::nvcc();

  CudaProject() {
    fs::copy(REDPROOF_ROOT "/tests/mutants/schemata/cuda", folder.path() / "project", fs::copy_options::recursive);
    fs::create_directories(folder.path() / "labs");
  }
  ProcessResult mutate(std::vector<std::string> words, std::vector<std::pair<std::string, std::string>> more = {}) const {
    redproof::gates::ProcessSpec spec;
    spec.argv = {test::program_folder() / "mutate"};
    spec.argv.insert(spec.argv.end(), words.begin(), words.end());
    spec.cwd = folder.path();
    spec.set_env = {{"NVCC", compiler}, {"REDPROOF_LAB", folder.path() / "labs"}};
    spec.set_env.insert(spec.set_env.end(), more.begin(), more.end());
    return redproof::gates::run_process(spec);
  }
  std::map<std::string, std::string> outcomes(const std::string& report) const {
    std::map<std::string, std::string> words;
    auto const document = redproof::gates::JsonDocument::read(folder.path() / report);
    for (auto const& mutant : document.root().at("mutants").items()) words[mutant.at("id").text()] = mutant.at("outcome").text();
    return words;
  }
};

std::map<std::string, std::string> expected() {
  std::map<std::string, std::string> words;
  std::ifstream stream(REDPROOF_ROOT "/tests/mutants/schemata/cuda/expected.txt");
  for (std::string id, outcome; stream >> id >> outcome;) words[id] = outcome;
  return words;
}

bool has_device() {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"nvidia-smi", "-L"};
  return redproof::gates::run_process(spec).exit_code == 0;
}

}  // namespace

TEST_CASE("kernels of a project are planted together with all others, in one build", "[cli]") {
  CudaProject const project;
  if (project.compiler.empty()) return skip_case(test::no_nvcc);
  ProcessResult const prepared = project.mutate({"--catalog", "project/mutants", "--prepare", "there"});
  INFO(prepared.output);
  CHECK(prepared.exit_code == 0);
  CHECK(prepared.output.find("14 of 14 mutants are prepared") != std::string::npos);
  if (has_device()) return;
  CHECK(prepared.output.find("gate tile_sums is skipped here (needs program:nvidia-smi): it is proved where the mutants run") !=
        std::string::npos);
  ProcessResult const elsewhere = project.mutate({"--prepared", "there", "--out", "out"});
  INFO(elsewhere.output);
  CHECK(elsewhere.exit_code == 4);
  CHECK(elsewhere.output.find("with no mutant active: gate") != std::string::npos);
}

TEST_CASE("a function of both sides has its mutant on the host without any device", "[cli]") {
  CudaProject const project;
  if (project.compiler.empty()) return skip_case(test::no_nvcc);
  test::write(
      project.folder.path() / "project/mutants/mixed/both.mutant.json",
      R"({"id":"mixed/both","defect":"d","edit":{"file":"src/kernels.cuh","function":"mix","replace_literal":{"literal":"3","with":"2"}},)"
      R"("targets":[],"reds":[{"gate":"host_mix","law":"host_mix"}]})");
  ProcessResult const result =
      project.mutate({"--catalog", "project/mutants", "mixed/both", "--planting", "schemata", "--format", "json", "-o", "report.json"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK(project.outcomes("report.json").at("mixed/both") == "killed");
  CHECK(test::read(project.folder.path() / "report.json").find("\"planting\": \"schemata\"") != std::string::npos);
}

TEST_CASE("mutants of kernels are generated, by operators of CUDA as by all others, and each can be planted", "[cli]") {
  CudaProject const project;
  if (project.compiler.empty()) return skip_case(test::no_nvcc);
  std::string const source = test::read(project.folder.path() / "project/src/tiles.cu");
  std::vector<std::string> words{"--catalog", "project/mutants", "--generate", "src/tiles.cu", "--list"};
  ProcessResult const listed = project.mutate(words);
  INFO(listed.output);
  CHECK(listed.exit_code == 0);
  std::vector<std::string> missing;
  for (std::string const name :
       {"sync_removal", "gpu_index_replacement", "alloc_increment", "launch_shared_bytes", "relational", "constant"})
    if (listed.output.find(name + "/") == std::string::npos) missing.push_back(name);
  CHECK(missing == std::vector<std::string>{});
  words.back() = "--check";
  ProcessResult const checked = project.mutate(words);
  INFO(checked.output);
  CHECK(checked.exit_code == 0);
  auto const count = std::count(listed.output.begin(), listed.output.end(), '\n');
  CHECK(checked.output.find(std::to_string(count) + " of " + std::to_string(count) + " mutants apply exactly once") != std::string::npos);
  CHECK(test::read(project.folder.path() / "project/src/tiles.cu") == source);
}

TEST_CASE("mutants of kernels become on a device what is written down for them", "[cli]") {
  CudaProject const project;
  if (project.compiler.empty()) return skip_case(test::no_nvcc);
  if (!has_device()) return skip_case("no graphics device");
  REQUIRE(project.mutate({"--catalog", "project/mutants", "--prepare", "there"}).exit_code == 0);
  ProcessResult const result = project.mutate({"--prepared", "there", "--out", "out", "--format", "json", "-o", "report.json"});
  INFO(result.output);
  CHECK(result.exit_code == 2);  // some survive
  CHECK(project.outcomes("report.json") == expected());
}
