#include "mutants/driver/find/cuda.h"

#include <fstream>

#include "mutants/driver/find/find.h"
#include "mutants/driver/generate/generate.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/nvcc.h"
#include "tests/skip.h"

using namespace redproof::mutants;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

constexpr const char* kernel = R"cu(#include <cuda_fp8.h>
#include <vector>
#ifdef __CUDA_ARCH__
__device__ float only_there(float x) { return x + 3; }
#endif
__device__ float factor(float s) {
#ifdef __CUDA_ARCH__
  return s * 2;
#else
  return s - 7;
#endif
}
__global__ void scale(const float* in, __nv_fp8_storage_t* out, int n, float s) {
  __shared__ float tile[128];
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = __nv_cvt_float_to_fp8(tile[threadIdx.x] / factor(s), __NV_SATFINITE, __NV_E4M3);
}
void launch(const std::vector<float>& in, __nv_fp8_storage_t* out, float s) {
  int const n = static_cast<int>(in.size());
  scale<<<(n + 127) / 128, 128>>>(in.data(), out, n, s);
}
)cu";

struct CudaProject {
  test::TemporaryFolder folder;
  explicit CudaProject(const std::string& words) {
    test::write(folder.path() / "k.cu", kernel);
    test::write(folder.path() / "includes.rsp", "-Iinclude \"-DFROM_FILE=1\"");
    test::write(folder.path() / "compile_commands.json",
                R"([{"directory":")" + folder.path().string() + R"(","file":"k.cu","command":")" + words + "\"}]");
  }
  FindOptions options() const { return {folder.path(), folder.path() / "compile_commands.json", 1}; }
  std::string stale_or_after(const std::string& function, const std::string& expression) const {
    Mutant mutant;
    mutant.id = "g/m";
    Edit edit;
    edit.file = "k.cu";
    edit.function = function;
    edit.kind = EditKind::replace_expression;
    edit.words = {{"expression", expression}, {"with", "0"}};
    mutant.edits = {edit};
    Finding const finding = find({mutant}, options()).front();
    if (finding.files.empty()) return finding.stale + finding.broken;
    return finding.files.front().after;
  }
};

Node node(Range range, int parent, std::vector<int> children = {}) {
  Node made;
  made.kind = NodeKind::expression;
  made.range = range;
  made.parent = parent;
  made.children = std::move(children);
  return made;
}

}  // namespace

TEST_CASE("words of nvcc become flags of clang", "[find]") {
  CHECK(is_cuda_source("/a/k.cu", {}));
  CHECK(is_cuda_source("/a/k.cpp", {"nvcc", "-x", "cu", "-c", "k.cpp"}));
  CHECK_FALSE(is_cuda_source("/a/k.cpp", {"g++", "-x", "c++", "-c", "k.cpp"}));
  auto const arch = [](const Words& words) { return cuda_flags(words).at(3); };
  CHECK(arch({"nvcc"}) == "--cuda-gpu-arch=sm_90");
  CHECK(arch({"nvcc", "-arch=sm_80"}) == "--cuda-gpu-arch=sm_80");
  CHECK(arch({"nvcc", "--generate-code=arch=compute_75,code=[sm_75,compute_86]"}) == "--cuda-gpu-arch=sm_86");
  CHECK(arch({"nvcc", "-gencode", "arch=compute_120a,code=sm_120a"}) == "--cuda-gpu-arch=sm_90");
}

TEST_CASE("options files stand for their words", "[find]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "x.rsp", "-I\"a b\" -DX\n");
  Words const all{"nvcc", "-Ia b", "-DX", "-c"};
  CHECK(with_options_files({"nvcc", "--options-file", "x.rsp", "-c"}, folder.path()) == all);
  CHECK(with_options_files({"nvcc", "-optf=x.rsp", "-c"}, folder.path()) == all);
}

TEST_CASE("one tree holds what both passes see once, and what one sees alone in its place", "[find]") {
  FileSyntax host, device;
  host.scopes.resize(1);
  host.scopes[0].name = "f";
  host.scopes[0].nodes = {node({0, 90}, -1, {1}), node({10, 20}, 0)};
  device = host;
  device.scopes[0].nodes = {node({0, 90}, -1, {1, 2}), node({10, 20}, 0), node({30, 50}, 0, {3}), node({32, 40}, 2)};
  device.scopes.push_back(device.scopes[0]);
  device.scopes[1].name = "only_there";
  FileSyntax const both = both_passes(host, device);
  REQUIRE(both.scopes.size() == 2);
  auto const& nodes = both.scopes[0].nodes;
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[0].children == std::vector<int>{1, 2});
  CHECK(nodes[2].children == std::vector<int>{3});
  CHECK(nodes[3].parent == 2);
  device.broken = "why";
  CHECK(both_passes(host, device).broken == "why");
}

TEST_CASE("a CUDA source parses against an installed toolkit, in both passes", "[find]") {
  CHECK(is_cuda_source("k.cu", {}));
  std::string const compiler = test::nvcc();
  if (compiler.empty()) return skip_case(test::no_nvcc);
  CudaProject const project(
      compiler +
      " -forward-unknown-to-host-compiler --options-file includes.rsp -O2 -std=c++20 "
      "--generate-code=arch=compute_90a,code=[sm_90a] -Xcompiler=-Wall --expt-relaxed-constexpr -x cu -c k.cu -o k.o");
  auto const found = symbols({"k.cu"}, project.options());
  CHECK(found == Words{"k.cu::only_there", "k.cu::factor", "k.cu::scale", "k.cu::launch"});
  auto const changes = [&](const std::string& function, const std::string& expression, const std::string& line) {
    std::string const after = project.stale_or_after(function, expression);
    INFO(after);
    CHECK(after.find(line) != std::string::npos);
  };
  changes("only_there", "x + 3", "float only_there(float x) { return 0; }");
  changes("factor", "s * 2", "  return 0;\n#else");
  changes("factor", "s - 7", "#else\n  return 0;");
  changes("scale", "tile[threadIdx.x] / factor(s)", "__nv_cvt_float_to_fp8(0, __NV_SATFINITE");
  changes("scale", "i < n ? in[i] : 0.0f", "tile[threadIdx.x] = 0;");
  changes("launch", "(n + 127) / 128", "scale<<<0, 128>>>");
  changes("factor", "s * 3", "s * 3");  // told as the piece of text that is not there
}

TEST_CASE("a CUDA source whose toolkit is not there is broken and not without matches", "[find]") {
  CudaProject const project("/no/such/nvcc -x cu -c k.cu");
  CHECK_THAT(project.stale_or_after("factor", "s - 7"), ContainsSubstring("error:"));
}

TEST_CASE("a header of CUDA is read through a source of CUDA, whichever comes first, and its sources are known", "[find]") {
  test::TemporaryFolder const folder;
  for (const char* source : {"a.cpp", "b.cu", "c.cu"}) test::write(folder.path() / source, "#include \"h.h\"\n#include \"plain.h\"\n");
  test::write(folder.path() / "d.cu", "#include \"other.h\"\n");
  test::write(folder.path() / "h.h", "__device__ inline int f() { return 1; }\n");
  test::write(folder.path() / "plain.h", "inline int g() { return 1; }\n");
  std::string commands;
  for (const char* source : {"a.cpp", "b.cu", "c.cu", "d.cu"})
    commands += std::string(commands.empty() ? "[" : ",") + R"({"directory":")" + folder.path().string() + R"(","file":")" + source +
                R"(","command":"cc -c )" + source + "\"}";
  test::write(folder.path() / "compile_commands.json", commands + "]");
  auto const database = CompileDatabase::read(folder.path() / "compile_commands.json");
  CHECK(is_cuda_header(folder.path() / "h.h"));
  CHECK_FALSE(is_cuda_header(folder.path() / "plain.h"));
  CHECK(is_cuda_header("/nowhere/x.cuh"));
  CHECK(database.find_through(folder.path() / "h.h")->file.filename() == "b.cu");
  CHECK(database.find_through(folder.path() / "plain.h")->file.filename() == "a.cpp");
  FindOptions const options{folder.path(), folder.path() / "compile_commands.json", 1};
  CHECK(cuda_sources_including({"h.h"}, options) == Words{"b.cu", "c.cu"});
  CHECK(cuda_sources_including({"b.cu"}, options).empty());
}
