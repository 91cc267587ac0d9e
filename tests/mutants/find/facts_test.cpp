#include "mutants/driver/find/parse.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

struct Parsed {
  FileSyntax file;

  explicit Parsed(const std::string& source) : file(test::parsed(source)) {}

  // The last node of the file with this text: the innermost one.
  Node node(const std::string& text) const {
    Node found;
    for (const Scope& scope : file.scopes)
      for (const Node& node : scope.nodes)
        if (file.text.substr(node.range.begin, node.range.end - node.range.begin) == text) found = node;
    return found;
  }
};

}  // namespace

TEST_CASE("operators are known by their spelling and form", "[find]") {
  Parsed const parsed("int f(int a) { a += 2; a = 3; return !a + -(a << 1); }\n");
  CHECK(parsed.node("a += 2").op == "+=");
  CHECK(parsed.node("a += 2").form == Form::assignment);
  CHECK(parsed.node("a = 3").form == Form::assignment);
  CHECK(parsed.node("a << 1").form == Form::binary);
  CHECK(parsed.node("!a").op == "!");
}

TEST_CASE("types have a class, a width and a canonical spelling", "[find]") {
  Parsed const parsed(
      "using Wide = unsigned long;\nenum class E { x, y };\nstruct R { int a, b; float c; };\n"
      "void f(const Wide& w, E e, R* r, bool t, double d) { (void)w; (void)e; (void)r; (void)t; (void)d; (void)r->a; (void)E::x; }\n");
  CHECK(parsed.node("w").type.type_class == TypeClass::unsigned_integer);
  CHECK(parsed.node("w").type.bits == 64);
  CHECK(parsed.node("w").type.spelling == "unsigned long");
  CHECK(parsed.node("w").type.is_const);
  CHECK(parsed.node("e").type.type_class == TypeClass::enumeration);
  CHECK(parsed.node("r").type.type_class == TypeClass::pointer);
  CHECK(parsed.node("t").type.type_class == TypeClass::boolean);
  CHECK(parsed.node("d").type.type_class == TypeClass::floating);
  CHECK(parsed.node("r->a").siblings == std::vector<std::string>{"b"});
  CHECK(parsed.node("E::x").siblings == std::vector<std::string>{"y"});
}

TEST_CASE("calls carry what they call, from the global namespace on", "[find]") {
  Parsed const parsed("namespace n { inline namespace v { int g(int a) { return a; } } }\nint f() { return n::g(1); }\n");
  CHECK(parsed.node("n::g(1)").name == "g");
  CHECK(parsed.node("n::g(1)").qualified == "n::g");
}

TEST_CASE("calls say whether they come back, and whether they may change their object", "[find]") {
  Parsed const parsed(
      "#include <cstdlib>\n#include <exception>\n[[noreturn]] void refuse(int);\n#define NORETURN __attribute__((noreturn))\n"
      "NORETURN void stop();\n"
      "struct S { [[noreturn]] void fail() const; void grow(); int size() const; static void all(); };\n"
      "void f(S& s) { refuse(1); stop(); s.fail(); s.grow(); s.size(); s.all(); }\n"
      "void g() { std::abort(); std::exit(1); std::terminate(); f(*new S); }\n");
  for (const char* call : {"refuse(1)", "stop()", "s.fail()", "std::abort()", "std::exit(1)", "std::terminate()"}) {
    INFO(call);
    CHECK(parsed.node(call).never_returns);
  }
  for (const char* call : {"s.grow()", "s.size()", "s.all()", "f(*new S)"}) {
    INFO(call);
    CHECK_FALSE(parsed.node(call).never_returns);
  }
  CHECK(parsed.node("s.size()").keeps_object);
  CHECK(parsed.node("s.all()").keeps_object);
  CHECK_FALSE(parsed.node("s.grow()").keeps_object);
  CHECK_FALSE(parsed.node("refuse(1)").keeps_object);
}

TEST_CASE("what a macro's body writes is told from what stands in the source", "[find]") {
  Parsed const parsed("#define ADD(x, y) (x + y)\nint f(int a) { return ADD(a * 2, 3) + a; }\n");
  CHECK(parsed.node("ADD(a * 2, 3)").from_macro);
  CHECK_FALSE(parsed.node("a * 2").from_macro);
  CHECK_FALSE(parsed.node("ADD(a * 2, 3) + a").from_macro);
}
