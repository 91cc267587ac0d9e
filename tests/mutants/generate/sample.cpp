#include "tests/mutants/generate/sample.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tests/mutants/fixture.h"

namespace redproof::mutants::test {
namespace {

// So much of CUDA that kernels parse without a toolkit.
constexpr const char* stub = R"(#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ float __shfl_xor_sync(unsigned mask, float value, int lane);
__device__ float atomicAdd(float* place, float value);
typedef struct Stream* cudaStream_t;
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, unsigned long shared = 0, cudaStream_t stream = nullptr);
extern "C" int cudaLaunchKernel(const void*, dim3, dim3, void**, unsigned long, cudaStream_t);
)";

constexpr const char* bf16 =
    "struct __nv_bfloat16 { unsigned short bits; };\n"
    "__host__ __device__ __nv_bfloat16 __float2bfloat16(float);\n"
    "__host__ __device__ __nv_bfloat16 __float2bfloat16_rz(float);\n"
    "__host__ __device__ float __bfloat162float(__nv_bfloat16);\n";

std::vector<std::string> described(const Generation& generation) {
  if (!generation.broken.empty()) throw std::runtime_error(generation.broken.front());
  std::vector<std::string> lines;
  for (const Generated& one : generation.mutants) {
    const Replacement& change = one.replacements.at(0);
    if (!one.mutant.suppressed.empty()) continue;
    std::string const old = generation.texts.at(one.path).substr(change.range.begin, change.range.end - change.range.begin);
    lines.push_back(fmt::format("{}: {} -> {}", one.line, old, change.text));
  }
  return lines;
}

Generation of_file(const std::string& file, const std::string& source, const std::string& flags,
                   const std::vector<std::string>& operators) {
  TemporaryFolder const folder;
  write(folder.path() / file, source);
  write(folder.path() / "stub.h", stub);
  write(folder.path() / "cuda_bf16.h", bf16);
  write(folder.path() / "cuda_fp16.h", "#pragma once\n");
  write(folder.path() / "db.json",
        fmt::format(R"([{{"directory":"{}","file":"{}","command":"c++ {} -c {}"}}])", folder.path().string(), file, flags, file));
  return generate({folder.path(), folder.path() / "db.json", {file}, operators, 1});
}

}  // namespace

Generation generation_of(const std::string& source, const std::vector<std::string>& operators) {
  Generation generation = of_file("a.cpp", source, "-std=c++20", operators);
  if (!generation.broken.empty()) throw std::runtime_error(generation.broken.front());
  return generation;
}

std::vector<std::string> made(const std::string& source, const std::string& operator_name) {
  return described(generation_of(source, {operator_name}));
}

std::vector<std::string> made_of_kernel(const std::string& source, const std::string& operator_name) {
  return described(of_file("a.cu", source, "-std=c++20 -nocudainc -nocudalib -I. -include stub.h", {operator_name}));
}

}  // namespace redproof::mutants::test
