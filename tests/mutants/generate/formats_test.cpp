#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made_of_kernel;

namespace {

const std::string source =
    "struct __nv_fp8_e4m3 { unsigned char bits; __device__ explicit __nv_fp8_e4m3(float); }; struct __nv_fp8_e5m2 {};"
    "enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 }; enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };"
    "__device__ unsigned char __nv_cvt_float_to_fp8(float, __nv_saturation_t, __nv_fp8_interpretation_t);\n"
    "__device__ unsigned char f(float x, __nv_fp8_e4m3* p) {\n"
    "  __nv_fp8_e4m3 value(x);\n"
    "  auto const* q = reinterpret_cast<const __nv_fp8_e5m2*>(p);\n"
    "  unsigned char bits = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);\n"
    "  bits += __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2);\n"
    "  return q ? bits : value.bits;\n"
    "}\n";

}  // namespace

TEST_CASE("one fp8 format becomes the other inside a body", "[generate]") {
  CHECK(made_of_kernel(source, "fp8_variant") == Lines{"3: __nv_fp8_e4m3 -> __nv_fp8_e5m2", "4: __nv_fp8_e5m2 -> __nv_fp8_e4m3",
                                                       "5: __NV_E4M3 -> __NV_E5M2", "6: __NV_E5M2 -> __NV_E4M3"});
}

TEST_CASE("a conversion to fp8 no longer saturates", "[generate]") {
  CHECK(made_of_kernel(source, "fp8_no_saturate") == Lines{"5: __NV_SATFINITE -> __NV_NOSAT"});
}
