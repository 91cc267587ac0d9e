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
