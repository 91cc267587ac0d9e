#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made_of_kernel;

namespace {

const std::string kernel =
    "__global__ void add(float* out, const float* in, int n) {\n"
    "  __shared__ float part[64];\n"
    "  for (int k = threadIdx.x; k < n; k += blockDim.x * gridDim.x) part[k] = in[k];\n"
    "  __syncthreads();\n"
    "  int i = blockIdx.x;\n"
    "  if (i < n) atomicAdd(&out[i], __shfl_xor_sync(0xffffffff, part[0], 1));\n"
    "  if (i >= n) return;\n"
    "}\n"
    "void launch(float* a, float* b, int n) {\n"
    "  add<<<n / 64, 32>>>(a, b, n);\n"
    "  dim3 grid(2);\n"
    "  add<<<grid, dim3(64), 128>>>(a, b, n);\n"
    "}\n";

}  // namespace

TEST_CASE("barriers go or reach one warp only", "[generate]") {
  CHECK(made_of_kernel(kernel, "sync_removal") == Lines{"4: __syncthreads(); -> ;"});
  CHECK(made_of_kernel(kernel, "sync_narrow") == Lines{"4: __syncthreads() -> __syncwarp()"});
}

TEST_CASE("indices of threads and blocks are exchanged and shifted", "[generate]") {
  CHECK(made_of_kernel(kernel, "gpu_index_replacement") ==
        Lines{"3: threadIdx -> blockIdx", "3: blockDim -> gridDim", "3: gridDim -> blockDim", "5: blockIdx -> threadIdx"});
  CHECK(made_of_kernel(kernel, "gpu_index_increment") == Lines{"3: threadIdx.x -> (threadIdx.x + 1)", "5: blockIdx.x -> (blockIdx.x + 1)"});
  CHECK(made_of_kernel(kernel, "gpu_index_decrement") == Lines{"3: threadIdx.x -> (threadIdx.x - 1)", "5: blockIdx.x -> (blockIdx.x - 1)"});
}

TEST_CASE("strides, guards, masks, atomics and shared memory", "[generate]") {
  CHECK(made_of_kernel(kernel, "stride_drop") == Lines{"3: blockDim.x * gridDim.x -> blockDim.x"});
  CHECK(made_of_kernel(kernel, "bounds_guard") == Lines{"6: i < n -> true", "7: i >= n -> false"});
  CHECK(made_of_kernel(kernel, "mask_narrow") == Lines{"6: 0xffffffff -> 0x0000ffffu"});
  CHECK(made_of_kernel(kernel, "atom_removal") == Lines{"6: atomicAdd(&out[i], __shfl_xor_sync(0xffffffff, part[0], 1)) -> "
                                                        "out[i] += __shfl_xor_sync(0xffffffff, part[0], 1)"});
  CHECK(made_of_kernel(kernel, "share_removal") == Lines{"2: __shared__ -> "});
}

TEST_CASE("grid and block of a launch are exchanged, and each has one more or less", "[generate]") {
  CHECK(made_of_kernel(kernel, "alloc_swap") == Lines{"10: n / 64, 32 -> 32, n / 64", "12: grid, dim3(64) -> dim3(64), grid"});
  CHECK(made_of_kernel(kernel, "alloc_increment") == Lines{"10: n / 64 -> n / 64 + 1", "10: 32 -> 32 + 1"});
  CHECK(made_of_kernel(kernel, "alloc_decrement") == Lines{"10: n / 64 -> n / 64 - 1", "10: 32 -> 32 - 1"});
}

TEST_CASE("what C++ and CUDA share is mutated in kernels too", "[generate]") {
  CHECK(made_of_kernel("__device__ int f(int a) { return a + 2; }\n", "arithmetic") == Lines{"1: + -> -"});
}

TEST_CASE("a launch loses a byte of its shared memory, and its stream", "[generate]") {
  std::string const source =
      "__global__ void k(int n);\n"
      "void launch(cudaStream_t stream, int n, int wide) {\n"
      "  k<<<n, 32, n * 4, stream>>>(n);\n"
      "  k<<<n, 32, wide ? 64 : 32, stream>>>(n);\n"
      "  k<<<n, 32, 0, 0>>>(n);\n"
      "  k<<<n, 32>>>(n);\n"
      "  k<<<n << 1, 32, 0, nullptr>>>(n);\n"
      "}\n";
  CHECK(made_of_kernel(source, "launch_shared_bytes") == Lines{"3: n * 4 -> n * 4 - 1", "4: wide ? 64 : 32 -> (wide ? 64 : 32) - 1"});
  CHECK(made_of_kernel(source, "stream_default") == Lines{"3: stream -> 0", "4: stream -> 0"});
  CHECK(made_of_kernel(source, "alloc_increment").at(8) == "7: n << 1 -> (n << 1) + 1");
}
