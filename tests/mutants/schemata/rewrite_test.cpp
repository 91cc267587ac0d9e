#include "mutants/driver/schemata/rewrite.h"

#include "tests/catch.h"
#include "tests/mutants/schemata/sample.h"

using namespace redproof::mutants;
using test::Sample;

TEST_CASE("what changes more than the body of a function is left out, with the reason", "[schemata]") {
  Sample sample(
      "int limit = 3;\nint f(int n = 1) { return n + limit; }\nstruct S { S() : n(4) { ++n; } int n; };\n"
      "int g() try { return 6; } catch (...) { return 7; }\nint main() { return f() + S().n + g() - 15; }\n",
      {{"limit = 3", "limit = 4"}, {"int n = 1", "int n = 2"}, {"n(4)", "n(5)"}, {"return 6", "return 8"}, {"n + limit", "n - limit"}});
  REQUIRE(sample.build_all() == "");
  auto const& left_out = sample.rewritten().left_out;
  REQUIRE(left_out.size() == 4);
  CHECK(left_out.at(1) == "it changes more than the body of a function");
  CHECK(left_out.at(2) == "it changes more than the body of a function");
  CHECK(left_out.at(3) == "it changes more than the body of a function");
  CHECK(left_out.at(4) == "it changes more than the body of a function");
  CHECK(sample.run_all(5).output == sample.run_alone(5).output);
  CHECK(sample.run_all(5).exit_code == sample.run_alone(5).exit_code);
}

TEST_CASE("sources and headers of C++ are rewritten, by their endings, and other files left out", "[schemata]") {
  auto const left_out = [](const std::string& path) {
    std::string const source = "int f(int n) { return n + 1; }\n";
    FileSyntax syntax = test::parsed(source);
    syntax.path = path;
    auto const at = source.find("+ 1");
    std::vector<MutatedFile> const files{{path, source, "", "", "", {{{at, at + 3}, "+ 2"}}}};
    auto const rewritten = rewrite({{1, &files}}, {{path, syntax}}, "runtime.h");
    return rewritten.left_out.contains(1) ? rewritten.left_out.at(1) : std::string();
  };
  for (const char* path : {"a.cpp", "a.cc", "a.cxx", "a.C", "d/a.h", "a.hpp", "a.hh", "a.hxx", "a.inc", "a.ipp", "a.cu", "a.cuh"}) {
    CAPTURE(path);
    CHECK(left_out(path).empty());
  }
  for (const std::string path : {"a.c", "a.py", "cpp", "d.cpp/a"}) CHECK(left_out(path) == path + " is not C++");
}

TEST_CASE("a mutant of a local record's function stands in the function around it", "[schemata]") {
  Sample sample(
      "int f(int n) {\n  struct S {\n    int g(int m) { return m + 1; }\n  };\n  return S().g(n) * 3;\n}\nint main() { return f(1); }\n",
      {{"m + 1", "m + 2"}, {"* 3", "* 4"}});
  REQUIRE(sample.build_all() == "");
  REQUIRE(sample.rewritten().functions.size() == 1);
  CHECK(sample.rewritten().functions[0].line == 1);
  CHECK(sample.run_all(-1).exit_code == 6);
  CHECK(sample.run_all(1).exit_code == 9);
  CHECK(sample.run_all(2).exit_code == 8);
}

TEST_CASE("lines keep their numbers and a byte-order mark stays first", "[schemata]") {
  std::string const text =
      "\xEF\xBB\xBF#include <cstdio>\nint f() { return 1; }\nint main() {\n  std::printf(\"%d\\n\", __LINE__ + f());\n}\n";
  Sample sample(text, {{"return 1", "return 2"}});
  REQUIRE(sample.build_all() == "");
  CHECK(sample.run_all(-1).output == "5\n");
  CHECK(sample.run_all(1).output == "6\n");
  CHECK(sample.rewritten().files.at(0).after.starts_with("\xEF\xBB\xBF#include"));
}

TEST_CASE("a function that the compiler may have run is marked", "[schemata]") {
  Sample sample("constexpr int f(int n) { return n + 1; }\nint g(int n) { return n + 2; }\nint main() { return f(1) + g(1); }\n",
                {{"n + 1", "n + 3"}, {"n + 2", "n + 4"}});
  REQUIRE(sample.build_all() == "");
  REQUIRE(sample.rewritten().functions.size() == 2);
  CHECK(sample.rewritten().functions[0].is_constexpr);
  CHECK_FALSE(sample.rewritten().functions[1].is_constexpr);
}

TEST_CASE("one mutant of several functions is active in all of them, and one that reaches over two bodies is left out", "[schemata]") {
  Sample sample("int f() { return 1; }\nint g() { return 2; }\nint main() { return f() * 10 + g(); }\n",
                {{"return 1", "return 3", {{"return 2", "return 4"}}}, {"1; }\nint g() { return 2", "5; }\nint g() { return 6"}});
  REQUIRE(sample.build_all() == "");
  CHECK(sample.rewritten().functions_of.at(1).size() == 2);
  CHECK(sample.run_all(-1).exit_code == 12);
  CHECK(sample.run_all(1).exit_code == 34);
  CHECK(sample.rewritten().left_out.at(2) == "it changes more than the body of a function");
}

namespace {

struct Place {
  bool on_host, on_device;
};

// Of a source as if a compiler of CUDA read it: f is there, and g launches a kernel.
Rewritten rewritten_for(Place place) {
  std::string const source = "int f(int n) { return n + 1; }\nint cudaLaunchKernel(int);\nint g(int n) { return cudaLaunchKernel(n); }\n";
  FileSyntax syntax = test::parsed(source);
  syntax.path = "a.cu";
  syntax.is_cuda = true;
  syntax.scopes.at(0).shape.on_host = place.on_host;
  syntax.scopes.at(0).shape.on_device = place.on_device;
  FileSyntax other = syntax;
  other.path = "b.cu";
  auto const at = source.find("+ 1");
  std::vector<MutatedFile> const files{{"a.cu", source, "", "", "", {{{at, at + 3}, "+ 2"}}}};
  return rewrite({{7, &files}}, {{"a.cu", syntax}, {"b.cu", other}}, "runtime.h");
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("code of a device has an entrance of its own, and code of both sides one on each", "[schemata]") {
  auto const kernel = rewritten_for({false, true});
  CHECK(functions_on_device(kernel) == std::vector<unsigned>{0});
  std::string const device = kernel.files.at(0).after;
  INFO(device);
  CHECK(holds(device, "if ((::redproof_schemata_device.gate[0] >> 0 & 1u) != 0) switch (::redproof_schemata_device_enter(0u)) {"));
  CHECK(holds(device, "case 0: return [](decltype(n) n) mutable __attribute__((noinline)) -> int {"));
  CHECK(holds(
      device,
      "case 7: return [](decltype(n) n) mutable __attribute__((noinline)) -> int {\n#line 1 \"redproof-mutant-7/a.cu\"\n{ return n + 2; } "
      "__trap(); }(n);"));
  CHECK_FALSE(holds(device, "::redproof_schemata_enter("));
  CHECK_FALSE(holds(device, "__CUDA_ARCH__"));

  std::string const both = rewritten_for({true, true}).files.at(0).after;
  INFO(both);
  auto const arch = both.find("#ifdef __CUDA_ARCH__\n"), otherwise = both.find("#else\n"), end = both.find("#endif\n");
  REQUIRE(end != std::string::npos);
  CHECK(both.find("::redproof_schemata_device_enter(0u)") < otherwise);
  CHECK(both.find("::redproof_schemata_device_enter(0u)") > arch);
  CHECK(both.find("::redproof_schemata_enter(0u)") > otherwise);
  CHECK(both.find("::redproof_schemata_enter(0u)") < end);
}

TEST_CASE("a host's function of CUDA is left alone while the device's code is compiled", "[schemata]") {
  auto const host = rewritten_for({true, false});
  CHECK(functions_on_device(host).empty());
  CHECK(host.files.size() == 1);
  std::string const text = host.files.at(0).after;
  CHECK(holds(text, "{\n#ifndef __CUDA_ARCH__\n if (__builtin_expect(::redproof_schemata_gate[0] != 0, 0))"));
  CHECK_FALSE(holds(text, "redproof_schemata_arm"));
}

TEST_CASE("where code of a device is rewritten, whatever launches kernels tells the device, in other sources too", "[schemata]") {
  auto const kernel = rewritten_for({false, true});
  REQUIRE(kernel.files.size() == 2);
  CHECK(kernel.files[1].path == "b.cu");
  CHECK(kernel.files[1].after ==
        "#include \"runtime.h\"\n#line 1 \"b.cu\"\nint f(int n) { return n + 1; }\nint cudaLaunchKernel(int);\n"
        "int g(int n) { ::redproof_schemata_arm();return cudaLaunchKernel(n); }\n");
  CHECK(holds(kernel.files[0].after, "int g(int n) { ::redproof_schemata_arm();return cudaLaunchKernel(n); }"));
}
