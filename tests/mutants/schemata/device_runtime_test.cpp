#include "mutants/driver/schemata/device_runtime.h"

#include "mutants/driver/schemata/runtime.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/nvcc.h"
#include "tests/skip.h"

using namespace redproof::mutants;

TEST_CASE("code of a device is prepared for only where a function runs on one", "[schemata]") {
  CHECK(runtime_header(3).find("__CUDACC__") == std::string::npos);
  std::string const header = runtime_header(3, {0, 2});
  CHECK(header.find("__CUDACC__") != std::string::npos);
  CHECK(header.find("on_device[] = {0, 2, 0}") != std::string::npos);
  CHECK(header.find('@') == std::string::npos);
}

TEST_CASE("the runtime compiles for a device in two sources of one program, without a warning, and starts no device by itself",
          "[schemata]") {
  CHECK(std::string(device_runtime_text).find("redproof_schemata_arm") != std::string::npos);
  std::string const compiler = test::nvcc();
  if (compiler.empty()) return skip_case(test::no_nvcc);
  test::TemporaryFolder const folder;
  test::write(folder.path() / "runtime.h", runtime_header(40, {1, 33}));
  std::string const kernel =
      "#include \"runtime.h\"\n__global__ void @(int* out) {\n  if ((redproof_schemata_device.gate[1] >> 1 & 1u) != 0) "
      "*out = (int)redproof_schemata_device_enter(33u);\n}\n"
      "void launch_@(int* out) { redproof_schemata_arm(); @<<<1, 1>>>(out); }\n";
  for (const std::string name : {"one", "two"}) {
    std::string source = kernel;
    for (auto at = source.find('@'); at != std::string::npos; at = source.find('@')) source.replace(at, 1, name);
    test::write(folder.path() / (name + ".cu"), source);
  }
  test::write(folder.path() / "main.cpp",
              "#include \"runtime.h\"\nvoid launch_one(int*); void launch_two(int*);\n"
              "int main(int n, char**) { if (n > 1) launch_one(0), launch_two(0); return redproof_schemata_wants_device; }\n");
  redproof::gates::ProcessSpec spec;
  spec.argv = {compiler, "-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-Xcompiler=-Wall,-Wextra,-Werror", "-cudart", "static",
               "-o",     "prog",       "main.cpp",    "one.cu",  "two.cu"};
  spec.cwd = folder.path();
  auto const built = redproof::gates::run_process(spec);
  INFO(built.output);
  CHECK(built.exit_code == 0);
  redproof::gates::ProcessSpec run;
  run.argv = {folder.path() / "prog"};
  CHECK(redproof::gates::run_process(run).exit_code == 0);
}
