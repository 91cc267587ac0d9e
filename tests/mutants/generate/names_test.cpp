#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made;

TEST_CASE("arguments of compatible types are exchanged", "[generate]") {
  CHECK(made("int g(int, long, const char*, int);\nint f(int a, long b) { return g(a, b, \"c\", 3); }\n", "argument_swapped") ==
        Lines{"2: a, b -> b, a", "2: a, b, \"c\", 3 -> 3, b, \"c\", a", "2: b, \"c\", 3 -> 3, \"c\", b"});
  CHECK(made("int g(int, int);\nint f(int a) { return g(a, a); }\n", "argument_swapped").empty());
  CHECK(made("int min(int, int);\nint f(int a, int b) { return min(a, b); }\n", "argument_swapped").empty());
}

TEST_CASE("in braces, where nothing narrows, only arguments of one type are exchanged", "[generate]") {
  std::string const head = "struct P { long a; int b; long c; };\n";
  CHECK(made(head + "P f(long x, int y, long z) { return P{x, y, z}; }\n", "argument_swapped") == Lines{"2: x, y, z -> z, y, x"});
}

TEST_CASE("a scale becomes its neighbour, variable or field", "[generate]") {
  CHECK(made("float f(float x, float k_scale, float v_scale) { return x * k_scale + v_scale; }\n", "scale_swapped") ==
        Lines{"1: k_scale -> v_scale", "1: v_scale -> k_scale"});
  CHECK(made("struct Scales { float k, v; };\nfloat f(const Scales& scales) { return scales.k; }\n", "scale_swapped") ==
        Lines{"2: k -> v"});
}

TEST_CASE("a name becomes its neighbour in one word, also where it is bound to a reference", "[generate]") {
  CHECK(made("struct T {};\nvoid g(const T&);\nvoid f(const T& k, const T& v) { g(k); (void)v; }\n", "neighbour_swapped") ==
        Lines{"3: k -> v", "3: v -> k"});
  CHECK(made("int f(int k_pages, int v_pages) { return k_pages; }\n", "neighbour_swapped") == Lines{"1: k_pages -> v_pages"});
  CHECK(made("int f(int k_pages, long v_pages) { return k_pages; }\n", "neighbour_swapped").empty());
}

TEST_CASE("a stride becomes another one", "[generate]") {
  CHECK(made("long f(long i, long page_stride, long token_stride_bytes) { return i * page_stride; }\n", "stride_swapped") ==
        Lines{"1: page_stride -> token_stride_bytes"});
}

TEST_CASE("an operand becomes at most two others of its type that can be named there", "[generate]") {
  std::string const source =
      "int f(int first) {\n"
      "  { int hidden = 1; (void)hidden; }\n"
      "  const int kept = 2;\n"
      "  int other = first;\n"
      "  other = kept;\n"
      "  int later = 3;\n"
      "  return later;\n"
      "}\n";
  CHECK(made(source, "name_replaced") == Lines{"2: hidden -> first", "4: first -> kept", "5: other -> first", "5: kept -> other",
                                               "5: kept -> first", "7: later -> other", "7: later -> kept"});
}

TEST_CASE("inside a lambda only what it captures can be named", "[generate]") {
  CHECK(made("int f(int a, int b) { auto g = [a] { return a; }; return g() + b; }\n", "name_replaced") == Lines{"1: b -> a"});
  CHECK(made("int f(int a, int b) { auto g = [&] { return a; }; return g(); }\n", "name_replaced") == Lines{"1: a -> b"});
}

TEST_CASE("a parameter of a type and the variable of a loop that is not yet entered cannot be named", "[generate]") {
  CHECK(made("int f(int a, void (*g)(int other)) { g(a); return a; }\n", "name_replaced").empty());
  CHECK(made("struct R { int* begin() const; int* end() const; };\nR r(int);\nvoid f(int a) { for (int b : r(a)) (void)b; }\n",
             "name_replaced") == Lines{"3: b -> a"});
}

TEST_CASE("an enumerator becomes one beside it", "[generate]") {
  CHECK(made("enum class E { f32, bf16, x };\nE g() { return E::f32; }\n", "name_replaced") == Lines{"2: f32 -> bf16", "2: f32 -> x"});
}
