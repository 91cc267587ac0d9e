#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made;
using redproof::mutants::test::made_of_kernel;

TEST_CASE("a rounding function becomes another", "[generate]") {
  CHECK(made("#include <cmath>\nfloat f(float a) { return std::nearbyint(a); }\nlong g(float a) { return lrintf(a); }\n",
             "rounding_replaced") == Lines{"2: nearbyint -> round", "2: nearbyint -> trunc", "3: lrintf -> lroundf"});
  CHECK(made("struct S { int round(int); };\nint f(S s) { return s.round(2); }\n", "rounding_replaced").empty());
}

TEST_CASE("a saturation becomes what it saturates", "[generate]") {
  std::string const head = "#include <algorithm>\n#include <limits>\n";
  CHECK(made(head + "int f(int a) { return std::clamp(a + 1, 0, 9); }\n", "saturation_removed") ==
        Lines{"3: std::clamp(a + 1, 0, 9) -> (a + 1)"});
  CHECK(made(head + "float f(float a) { return std::min(a, 448.0f); }\n", "saturation_removed") == Lines{"3: std::min(a, 448.0f) -> (a)"});
  CHECK(made(head + "int f(int a, int max_tokens) { return std::min(max_tokens, a); }\n", "saturation_removed") ==
        Lines{"3: std::min(max_tokens, a) -> (a)"});
  CHECK(made(head + "int f(int a, int b) { return std::min(a, b); }\n", "saturation_removed").empty());
}

TEST_CASE("what something is capped by is known by a word of its name", "[generate]") {
  Lines truth;
  std::string source = "#include <algorithm>\n";
  for (const std::string word : {"max", "min", "most", "least", "limit", "largest", "smallest", "cap", "ceiling", "floor"}) {
    source += "int f_" + word + "(int a, int " + word + "_b) { return std::min(a, " + word + "_b); }\n";
    truth.push_back(std::to_string(truth.size() + 2) + ": std::min(a, " + word + "_b) -> (a)");
  }
  source += "int f(int a, int capital) { return std::min(a, capital); }\n";
  CHECK(made(source, "saturation_removed") == truth);
}

TEST_CASE("functions of the standard library become their opposites", "[generate]") {
  CHECK(made("#include <algorithm>\n#include <vector>\nint f(const std::vector<int>& a) { return std::max(a.front(), *a.begin()); }\n",
             "std_swapped") == Lines{"3: max -> min", "3: front -> back", "3: begin -> end"});
}

TEST_CASE("CUDA's conversions round in another direction, and its own limits go", "[generate]") {
  std::string const source =
      "#include <cuda_bf16.h>\n"
      "__device__ int __float2int_rn(float); __device__ float __fmul_ru(float, float); __device__ float __floats2half2_rn(float, float);"
      "__device__ float __saturatef(float); __device__ float fminf(float, float);\n"
      "__device__ float f(float a, float b) {\n"
      "  int i = __float2int_rn(a);\n"
      "  float x = __bfloat162float(__float2bfloat16(a)) + __fmul_ru(a, b);\n"
      "  return __floats2half2_rn(a, b) + __saturatef(a + b) + fminf(x, 448.f) + i;\n"
      "}\n";
  CHECK(made_of_kernel(source, "rounding_replaced") ==
        Lines{"4: __float2int_rn -> __float2int_rz", "5: __float2bfloat16 -> __float2bfloat16_rz", "5: __fmul_ru -> __fmul_rd"});
  CHECK(made_of_kernel(source, "saturation_removed") == Lines{"6: __saturatef(a + b) -> (a + b)", "6: fminf(x, 448.f) -> (x)"});
}
