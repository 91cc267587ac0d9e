#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made;

TEST_CASE("a factor goes, of a product either, of a quotient the divisor", "[generate]") {
  CHECK(made("float f(float a, float s) { return a * s; }\n", "factor_dropped") == Lines{"1: a * s -> a", "1: a * s -> s"});
  CHECK(made("float f(float a, float s) { return a / s; }\n", "factor_dropped") == Lines{"1: a / s -> a"});
  CHECK(made("void f(float& a, float s) { a *= s; }\n", "factor_dropped") == Lines{"1: a *= s; -> ;"});
}

TEST_CASE("terms of an index are told from terms of other sums", "[generate]") {
  std::string const source =
      "int f(const int* p, int i, int j) {\n  int a = p[i * 4 + j];\n  int offset = i + j;\n  return a + *(p + offset);\n}\n";
  CHECK(made(source, "index_term_dropped") ==
        Lines{"2: i * 4 + j -> i * 4", "2: i * 4 + j -> j", "3: i + j -> i", "3: i + j -> j", "4: p + offset -> p"});
  CHECK(made(source, "term_dropped") == Lines{"4: a + *(p + offset) -> a", "4: a + *(p + offset) -> *(p + offset)"});
  CHECK(made("int f(int a, int b) { return a - b; }\n", "term_dropped") == Lines{"1: a - b -> a", "1: a - b -> -b"});
}

TEST_CASE("a cast that arithmetic needs wide goes, and one that narrows", "[generate]") {
  std::string const source =
      "long f(int a, int b, long c) {\n  long wide = static_cast<long>(a) * b + long{a} * b;\n  long same = static_cast<long>(a);\n"
      "  int narrow = static_cast<int>(c + 1);\n  return wide + same + narrow;\n}\n";
  CHECK(made(source, "widening_removed") == Lines{"2: static_cast<long>(a) -> a", "2: long{a} -> a"});
  CHECK(made(source, "cast_removed") == Lines{"4: static_cast<int>(c + 1) -> (c + 1)"});
}

TEST_CASE("what is added to gets half its width", "[generate]") {
  CHECK(made("double f(const double* p, int n) {\n  double sum = 0;\n  double kept = 1;\n  for (int i = 0; i < n; ++i) sum += p[i];\n"
             "  return sum + kept;\n}\n",
             "accumulator_narrowed") == Lines{"2: double -> float"});
  CHECK(made("long f(int n) { long s = 0; for (int i = 0; i < n; ++i) s += i; return s; }\n", "accumulator_narrowed") ==
        Lines{"1: long -> int"});
}

TEST_CASE("a scale is applied twice", "[generate]") {
  std::string const source =
      "struct Both { float k, v; };\n"
      "float f(float x, float k_scale, const float* scales, int scale_stride, float scale_inverse, Both both_scales, Both sums) {\n"
      "  x *= k_scale;\n"
      "  x = x * k_scale + scales[1] * x;\n"
      "  x = x / k_scale;\n"
      "  x /= k_scale;\n"
      "  int at = 3 * scale_stride;\n"
      "  x = k_scale / x;\n"
      "  x = k_scale * scale_inverse;\n"
      "  x = x * both_scales.k + x * sums.v;\n"
      "  return x + k_scale + at;\n"
      "}\n";
  CHECK(made(source, "scale_twice") == Lines{"3: x *= k_scale -> x *= k_scale * k_scale", "4: x * k_scale -> x * k_scale * k_scale",
                                             "4: scales[1] * x -> scales[1] * x * scales[1]", "5: x / k_scale -> x / k_scale / k_scale",
                                             "6: x /= k_scale -> x /= k_scale * k_scale",
                                             "9: k_scale * scale_inverse -> k_scale * scale_inverse * scale_inverse",
                                             "10: x * both_scales.k -> x * both_scales.k * both_scales.k"});
}

TEST_CASE("an index table is read one further", "[generate]") {
  std::string const source =
      "#include <vector>\n"
      "int f(const int* block_table, std::vector<int>& slots, const int* values, const float* block_sums, int i) {\n"
      "  slots[i] = 3;\n"
      "  slots[i] += 2;\n"
      "  return block_table[i * 2] + slots[i] + values[i] + static_cast<int>(block_sums[i]);\n"
      "}\n";
  CHECK(made(source, "index_shifted") == Lines{"5: i * 2 -> i * 2 + 1", "5: i -> i + 1"});
}
