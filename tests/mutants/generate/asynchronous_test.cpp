#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made_of_kernel;

namespace {

const std::string copy_head =
    "__device__ void __pipeline_wait_prior(unsigned long); template <int n> __device__ void cp_async_wait();"
    "template <int n> __device__ void cp_async_wait_group(); template <typename T> __device__ void async_wait_for();"
    "struct Pipeline { template <int n> __device__ void consumer_wait_prior(); }; __device__ void named_barrier_wait(int);"
    "extern \"C\" { int cudaDeviceSynchronize(); int cudaStreamSynchronize(cudaStream_t); int cudaStreamWaitEvent(cudaStream_t, void*, "
    "int); }"
    "bool is_bad(int);\n";

}  // namespace

TEST_CASE("a wait lets one asynchronous copy more be outstanding", "[generate]") {
  CHECK(made_of_kernel(copy_head + "template <int stages> __device__ void f(Pipeline& pipe) {\n"
                                   "  __pipeline_wait_prior(1);\n"
                                   "  cp_async_wait<0>();\n"
                                   "  cp_async_wait_group<stages>();\n"
                                   "  cp_async_wait_group<stages - 2>();\n"
                                   "  pipe.consumer_wait_prior<1>();\n"
                                   "  async_wait_for<int>();\n"
                                   "  named_barrier_wait(1);\n"
                                   "}\n",
                       "pipeline_wait") ==
        Lines{"3: 1 -> 2", "4: 0 -> 1", "5: stages -> stages + 1", "6: stages - 2 -> (stages - 2) + 1", "7: 1 -> 2"});
}

TEST_CASE("a wait for copies is found in what an asm statement says", "[generate]") {
  CHECK(made_of_kernel(copy_head + "template <int n> __device__ void f() {\n"
                                   "  asm volatile(\"cp.async.wait_group 0;\" ::: \"memory\");\n"
                                   "  asm volatile(\"cp.async.bulk.wait_group.read %0;\\n\" ::\"n\"(n) : \"memory\");\n"
                                   "  asm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n"
                                   "}\n",
                       "pipeline_wait") == Lines{"3: 0 -> 1", "4: n -> n + 1"});
}

TEST_CASE("volatile and acquiring loads become plain ones", "[generate]") {
  std::string const source = copy_head +
                             "__device__ int f(const int* p) {\n"
                             "  int a, b;\n"
                             "  asm volatile(\"ld.volatile.global.s32 %0, [%1];\" : \"=r\"(a) : \"l\"(p));\n"
                             "  asm volatile(\"ld.acquire.gpu.s32 %0, [%1];\" : \"=r\"(b) : \"l\"(p));\n"
                             "  asm volatile(\"ld.global.s32 %0, [%1]; // ld\" : \"=r\"(b) : \"l\"(p));\n"
                             "  const char* name = \"ld.volatile\";\n"
                             "  return a + b + name[0];\n"
                             "}\n";
  CHECK(made_of_kernel(source, "ptx_ld_volatile") == Lines{"4: ld.volatile -> ld", "5: ld.acquire -> ld.relaxed"});
}

TEST_CASE("the host no longer waits for a stream, an event or the device", "[generate]") {
  std::string const source = copy_head +
                             "#define CHECK(call) do { int status = (call); if (status) is_bad(status); } while (0)\n"
                             "void f(cudaStream_t stream, void* event) {\n"
                             "  cudaStreamWaitEvent(stream, event, 0);\n"
                             "  cudaDeviceSynchronize();\n"
                             "  CHECK(cudaStreamSynchronize(stream));\n"
                             "  if (is_bad(cudaDeviceSynchronize())) return;\n"
                             "}\n";
  CHECK(made_of_kernel(source, "call_removed") ==
        Lines{"4: cudaStreamWaitEvent(stream, event, 0); -> ;", "5: cudaDeviceSynchronize(); -> ;"});
  CHECK(made_of_kernel(source, "wait_removed") ==
        Lines{"6: cudaStreamSynchronize(stream) -> cudaSuccess", "7: cudaDeviceSynchronize() -> cudaSuccess"});
}
