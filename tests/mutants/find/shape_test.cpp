#include "mutants/driver/find/parse.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

FunctionShape shape(const std::string& source, const std::string& name) {
  FileSyntax const file = test::parsed(source);
  for (const Scope& scope : file.scopes)
    if (scope.symbol == name) return scope.shape;
  FAIL(name << " is not in it: " << file.broken);
  return {};
}

}  // namespace

TEST_CASE("a function's shape is its body, its result and how its parameters are captured", "[find]") {
  std::string const source = "struct S { int n; };\nlong f(int a, const S& b, double* d, int) { return a + b.n + (d != nullptr); }\n";
  FunctionShape const found = shape(source, "f");
  CHECK(source.substr(found.body.begin, found.body.end - found.body.begin) == "{ return a + b.n + (d != nullptr); }");
  CHECK(found.result == "long");
  CHECK_FALSE(found.is_void);
  CHECK_FALSE(found.has_this);
  CHECK(found.why_not.empty());
  REQUIRE(found.parameters.size() == 3);
  CHECK(found.parameters[0].copied);
  CHECK_FALSE(found.parameters[1].copied);
  CHECK(found.parameters[2].copied);
}

TEST_CASE("members have this, static ones and free functions have not", "[find]") {
  std::string const source =
      "struct S { S() { n = 1; } ~S() {} int get() const { return n; } static int none() { return 0; } template <class T> int as(T t) { "
      "return t; } int n; };\n";
  CHECK(shape(source, "S::S").has_this);
  CHECK(shape(source, "S::S").is_void);
  CHECK(shape(source, "S::~S").has_this);
  CHECK(shape(source, "S::get").has_this);
  CHECK_FALSE(shape(source, "S::none").has_this);
  CHECK(shape(source, "S::as").has_this);
}

TEST_CASE("a result that is deduced or has no name cannot be written again", "[find]") {
  CHECK(shape("auto f() { return 1; }\n", "f").result == "int");
  CHECK(shape("auto f() { return [] { return 1; }; }\n", "f").result.empty());
  CHECK(shape("namespace { struct S {}; S f() { return {}; } } S g() { return f(); }\n", "g").result == "S");
  CHECK(shape("const char* f() { return __func__; }\n", "f").result.empty());
  CHECK(shape("struct S { int n; }; S f(S s) { return s; }\n", "f").result.empty());
  CHECK(shape("struct S { int n; }; S f(S&& s) { return s; }\n", "f").result.empty());
  CHECK(shape("template <class... T> int f(T... t) { return sizeof...(t); }\n", "f").parameters.at(0).pack);
}

TEST_CASE("what runs only in the compiler, or is no block, gets no other body", "[find]") {
  CHECK(shape("constexpr int f() { return 1; }\n", "f").is_constexpr);
  CHECK(shape("constexpr int f() { return 1; }\n", "f").why_not.empty());
  CHECK_FALSE(shape("consteval int f() { return 1; }\n", "f").why_not.empty());
  CHECK_FALSE(shape("int f() try { return 1; } catch (...) { return 2; }\n", "f").why_not.empty());
  CHECK_FALSE(shape("#define BODY { return 1; }\nint f() BODY\n", "f").why_not.empty());
}

TEST_CASE("a coroutine, or what holds one, gets no other body", "[find]") {
  std::string const head =
      "#include <coroutine>\nstruct G { struct promise_type { G get_return_object() { return {}; } std::suspend_never initial_suspend() { "
      "return {}; } std::suspend_never final_suspend() noexcept { return {}; } std::suspend_never yield_value(int) { return {}; } void "
      "return_void() {} void unhandled_exception() {} }; };\n";
  for (const char* body : {"co_yield 1;", "co_await std::suspend_never{};", "co_return;"}) {
    CAPTURE(body);
    CHECK_FALSE(shape(head + "G f() { " + body + " }\n", "f").why_not.empty());
    CHECK(shape(head + "int f() { auto const g = []() -> G { " + body + " }; g(); return 1; }\n", "f").why_not == "it is a coroutine");
  }
}

TEST_CASE("a function that speaks of its own frame, name or target cannot be written again", "[find]") {
  CHECK(shape("int f(int n) { return n; }\n", "f").result == "int");
  for (const char* function :
       {"int f(int n) { return n + __func__[0]; }", "int f(int n) { return n + __FUNCTION__[0]; }",
        "int f(int n) { return n + __PRETTY_FUNCTION__[0]; }", "int f(int n, ...) { va_list l; va_start(l, n); va_end(l); return n; }",
        "int f(int n, ...) { va_list l; __builtin_va_start(l, n); va_end(l); return n; }", "int f(int n) { return alloca(n) != nullptr; }",
        "int f(int n) { return __builtin_alloca(n) != nullptr; }", "int f(int n) { return n + (__builtin_return_address(0) != nullptr); }",
        "int f(int n) { return n + (__builtin_frame_address(0) != nullptr); }",
        "__attribute__((target(\"sse4.2\"))) int f(int n) { return n; }"}) {
    CAPTURE(function);
    CHECK(shape(std::string("#include <alloca.h>\n#include <cstdarg>\n") + function + "\n", "f").result.empty());
  }
}

namespace {

// Parsed as CUDA, with no toolkit but the words for attributes.
FunctionShape cuda_shape(const std::string& function) {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "a.cu",
              "#define __host__ __attribute__((host))\n#define __device__ __attribute__((device))\n"
              "#define __global__ __attribute__((global))\n#define BOTH __host__ __device__ inline\n#define KERNEL __global__ void\n" +
                  function + "\n");
  CompileCommand const command{
      folder.path(), folder.path() / "a.cu", {"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_90"}, true};
  FileSyntax const file = parse({folder.path(), command, {"a.cu"}, {"*"}}).front();
  CHECK(file.is_cuda);
  REQUIRE(file.broken == "");
  return file.scopes.at(0).shape;
}

std::string sides(const std::string& function) {
  FunctionShape const found = cuda_shape(function);
  return std::string(found.on_host ? "host" : "") + (found.on_device ? "device" : "");
}

}  // namespace

TEST_CASE("code of CUDA runs where its attributes say, written out, by a macro, or on a template", "[find]") {
  CHECK(sides("int device(int global) { return global; }") == "host");
  CHECK(sides("__host__ int f(int n) { return n; }") == "host");
  CHECK(sides("__device__ int f(int n) { return n; }") == "device");
  CHECK(sides("__global__ void f(int n) { n = 0; }") == "device");
  CHECK(sides("__host__ __device__ int f(int n) { return n; }") == "hostdevice");
  CHECK(sides("BOTH int f(int n) { return n; }") == "hostdevice");
  CHECK(sides("KERNEL f(int n) { n = 0; }") == "device");
  CHECK(sides("template <class T> BOTH T f(T t) { return t; }") == "hostdevice");
  CHECK(sides("template <class T> KERNEL f(T t) { t = 0; }") == "device");
  CHECK(sides("constexpr int f(int n) { return n; }") == "host");
}

TEST_CASE("on a device what is returned by its name is copied", "[find]") {
  constexpr const char* moved = "template <class T> T f(T t) { return t; }";
  CHECK(shape(moved, "f").result.empty());
  CHECK(cuda_shape(std::string("template <class T> __device__ T f(T t) { return t; }")).result == "T");
}
