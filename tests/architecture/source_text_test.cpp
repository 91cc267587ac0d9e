#include "tests/architecture/source_text.h"

#include "tests/catch.h"

using namespace redproof::tests;

namespace {

std::vector<std::string> signatures(std::string_view text) {
  std::vector<std::string> out;
  for (Body const& body : bodies_of(text)) out.push_back(body.signature);
  return out;
}

}  // namespace

TEST_CASE("comments, strings and raw strings are no code, and lines stay", "[architecture]") {
  CHECK(code_only("a // b\nc") == "a     \nc");
  CHECK(code_only("a /* b\n * c */ d") == "a     \n        d");
  CHECK(code_only("x = \"a\\\"{\" + '{';") == "x = \"    \" + ' ';");
  CHECK(code_only("R\"x({\"\n})x\" {") == "R     \n     {");
  CHECK(code_only("n = 1'000'000; c = '\\'' ; {") == "n = 1'000'000; c = '  ' ; {");
  CHECK(code_only("// carried on \\\nhere {\n{") == "               \n      \n{");
}

TEST_CASE("an include is read where the compiler reads one", "[architecture]") {
  auto const includes = includes_of(
      "#include \"engine/a.h\"  // why\n"
      "  #  include <vector>\n"
      "// #include \"engine/b.h\"\n"
      "/*\n#include \"engine/c.h\"\n*/\n"
      "auto s = R\"(\n#include \"engine/d.h\"\n)\";\n"
      "#include MACRO\n");
  REQUIRE(includes.size() == 3);
  CHECK(includes[0].line == 1);
  CHECK(includes[0].directive == "#include \"engine/a.h\"");
  CHECK(includes[0].target == "engine/a.h");
  CHECK(includes[0].quoted);
  CHECK(includes[1].line == 2);
  CHECK(includes[1].target == "vector");
  CHECK_FALSE(includes[1].quoted);
  CHECK(includes[2].line == 10);
  CHECK(includes[2].target.empty());
}

TEST_CASE("a function's body is found whatever stands around it", "[architecture]") {
  CHECK(signatures("int f() { return 1; }") == std::vector<std::string>{"int f()"});
  CHECK(signatures("struct S {\n int f() const noexcept\n {}\n};") == std::vector<std::string>{"int f() const noexcept"});
  CHECK(signatures("template <class T> auto f(T t) -> std::vector<T> { return {t}; }").size() == 1);
  CHECK(signatures("struct S { S() : a{1}, b(2), c{} { g(); } int a; };").size() == 1);
  CHECK(signatures("struct S { bool operator==(S const&) const { return true; } };").size() == 1);
  CHECK(signatures("struct S { explicit operator bool() const { return true; } };").size() == 1);
  CHECK(signatures("auto f = [] { return 1; };").size() == 1);
  CHECK(signatures("auto f = [](int x) mutable { return x; };").size() == 1);
  CHECK(signatures("struct S f() { return {}; }").size() == 1);
  CHECK(signatures("void f(std::function<void(int)> g = {}) { g(1); }\nint g() { return 2; }").size() == 2);
  CHECK(signatures("extern \"C\" { void f() {} }").size() == 1);
  CHECK(signatures("enum class E : int { a, b }; inline int f(E e) { if (e == E::a) { return 1; } return 2; }").size() == 1);
}

TEST_CASE("types, initialisers and declarations are no bodies", "[architecture]") {
  CHECK(signatures("namespace a::b { struct S : std::runtime_error { using std::runtime_error::runtime_error; }; }").empty());
  CHECK(signatures("struct alignas(16) S { int a{0}; std::vector<int> b = {1, 2}; int c[2]{1, 2}; };").empty());
  CHECK(signatures("struct S { int f() const; S() = default; std::function<int(int)> g{}; };").empty());
  CHECK(signatures("struct [[nodiscard]] S { decltype(sizeof(int)) n{4}; double x = f(1) + Y{2}.z; };").empty());
  CHECK(signatures("// int f() { }\n#define F(x) { x }\nenum class E : std::uint8_t { a = (1), b };").empty());
  CHECK(signatures("template <class T> concept C = requires(T t) { t.f(); };").empty());
}

TEST_CASE("a body knows its lines", "[architecture]") {
  auto const bodies = bodies_of("int x;\nint f() {\n  return 1;\n}\nS::S()\n    : a{1},\n      b{2} {\n  g();\n}\n");
  REQUIRE(bodies.size() == 2);
  CHECK(bodies[0].first_line == 2);
  CHECK(bodies[0].last_line == 4);
  CHECK(bodies[1].last_line == 9);
}
