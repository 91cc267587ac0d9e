#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made;
using redproof::mutants::test::made_of_kernel;

TEST_CASE("a maximum or a minimum starts from 0", "[generate]") {
  std::string const source =
      "#include <cfloat>\n#include <climits>\n#include <cmath>\n#include <limits>\n"
      "float f(const float* p, int n) {\n"
      "  float most = -INFINITY;\n"
      "  float least = FLT_MAX, low = -FLT_MAX;\n"
      "  double top = -std::numeric_limits<double>::infinity();\n"
      "  int first = INT_MAX;\n"
      "  long last = static_cast<long>(std::numeric_limits<int>::min());\n"
      "  for (int i = 0; i < n; ++i) most = i < 2 ? -INFINITY : p[i];\n"
      "  constexpr float limit = -FLT_MAX;\n"
      "  if (most == -INFINITY || most > limit || last > static_cast<long>(INT_MAX) || last > long{INT_MAX}) return FLT_MAX;\n"
      "  return most + least + low + static_cast<float>(top) + static_cast<float>(first);\n"
      "}\n";
  CHECK(made(source, "reduce_identity") ==
        Lines{"6: -INFINITY -> 0.0f", "7: FLT_MAX -> 0.0f", "7: -FLT_MAX -> 0.0f", "8: -std::numeric_limits<double>::infinity() -> 0.0",
              "9: INT_MAX -> 0", "10: std::numeric_limits<int>::min() -> 0", "11: -INFINITY -> 0.0f", "13: FLT_MAX -> 0.0f"});
}

TEST_CASE("a sum of a kernel starts from 1, and of the host as any constant", "[generate]") {
  std::string const body =
      "void f(float* out, const float* in, int n) {\n"
      "  float sum = 0.0f;\n"
      "  float kept = 0.f;\n"
      "  int count = 0;\n"
      "  for (int i = 0; i < n; ++i) { sum += in[i]; count += 1; }\n"
      "  out[count] = sum + kept;\n"
      "}\n";
  CHECK(made_of_kernel("__global__ " + body, "reduce_identity") == Lines{"2: 0.0f -> 1.0f", "4: 0 -> 1"});
  CHECK(made(body, "reduce_identity").empty());
}

TEST_CASE("a sum of floats is rounded at each step where the source knows how", "[generate]") {
  std::string const body =
      "__device__ float f(const float* p, double* d, float r[2], int n) {\n"
      "  float sum = 0;\n"
      "  for (int i = 0; i < n; ++i) sum += p[i] * 2;\n"
      "  r[1] += sum;\n"
      "  sum = sum + r[1];\n"
      "  sum = r[1];\n"
      "  d[0] += sum;\n"
      "  n += 1;\n"
      "  return sum;\n"
      "}\n";
  CHECK(made_of_kernel("#include <cuda_bf16.h>\n" + body + "void host(float& a) { a += 1; }\n", "dtype_accum") ==
        Lines{"4: sum += p[i] * 2 -> sum = __bfloat162float(__float2bfloat16(sum + (p[i] * 2)))",
              "5: r[1] += sum -> r[1] = __bfloat162float(__float2bfloat16(r[1] + (sum)))",
              "6: sum = sum + r[1] -> sum = __bfloat162float(__float2bfloat16(sum + r[1]))"});
  CHECK(made_of_kernel("#include \"cuda_fp16.h\"\n" + body, "dtype_accum").at(1) ==
        "5: r[1] += sum -> r[1] = __half2float(__float2half(r[1] + (sum)))");
  CHECK(made_of_kernel("// #include <cuda_bf16.h>\n" + body, "dtype_accum").empty());
}

TEST_CASE("half a warp is taken for all of it", "[generate]") {
  std::string const source =
      "extern __device__ const int warpSize; __device__ float __shfl_down_sync(unsigned mask, float value, unsigned by, int width = 32);\n"
      "#define WARP_SIZE 32\n"
      "__device__ float f(const float* p, int n) {\n"
      "  int lane = threadIdx.x & 31, warp = threadIdx.x / 32;\n"
      "  float v = 0;\n"
      "  for (int i = lane; i < n; i += 32) v = p[i];\n"
      "  for (int i = lane / WARP_SIZE; i < WARP_SIZE; i += WARP_SIZE) v = p[i];\n"
      "  for (int i = lane; i < n; i += warpSize) v = p[warp * (32) + i];\n"
      "  for (int by = 16; by > 0; by /= 2) v = __shfl_down_sync(0xffffffffu, v, by, 32);\n"
      "  for (int k = 16; k > 0; --k) v = p[k];\n"
      "  __shared__ float part[32];\n"
      "  int other = 32, flag = n | 31;\n"
      "  return v + part[0] + other + flag + __shfl_down_sync(0xffffffffu, v, 16);\n"
      "}\n"
      "int host(int n) { return n / 32; }\n";
  CHECK(made_of_kernel(source, "warp_stride") == Lines{"4: 31 -> 15", "4: 32 -> 16", "6: 32 -> 16", "7: WARP_SIZE -> 16",
                                                       "7: WARP_SIZE -> 16", "8: warpSize -> 16", "8: 32 -> 16", "9: 16 -> 8",
                                                       "9: 32 -> 16", "13: 16 -> 8"});
}
