#include "mutants/driver/schemata/launches.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

// The functions' bodies with what is put into them; a launch is the call that clang makes of `<<<...>>>`.
std::string armed(const std::string& body, bool on_host = true) {
  std::string const text =
      "int __cudaPushCallConfiguration(int, int); int cudaLaunchKernel(int); void k(int);\n"
      "#define CHECK(x) do { if (x) k(0); } while (0)\nvoid f(int n) {" +
      body + "}\n";
  FileSyntax const file = test::parsed(text);
  REQUIRE(file.broken == "");
  Scope scope = file.scopes.front();
  scope.shape.on_host = on_host;
  std::string after = spliced(text, {scope.shape.body.begin + 1, scope.shape.body.end - 1}, arms_of(scope, file));
  std::string const call = "::redproof_schemata_arm();";
  for (auto at = after.find(call); at != std::string::npos; at = after.find(call, at)) after.replace(at, call.size(), "!");
  return after;
}

}  // namespace

TEST_CASE("the device is told in front of each statement that launches", "[schemata]") {
  CHECK(armed("int a = 1; __cudaPushCallConfiguration(1, n); k(a);") == "int a = 1; !__cudaPushCallConfiguration(1, n); k(a);");
  CHECK(armed("cudaLaunchKernel(n);") == "!cudaLaunchKernel(n);");
  CHECK(armed("return k(cudaLaunchKernel(n));") == "!return k(cudaLaunchKernel(n));");
  CHECK(armed("if (n) cudaLaunchKernel(n); else { k(2); cudaLaunchKernel(2); }") ==
        "!if (n) cudaLaunchKernel(n); else { k(2); !cudaLaunchKernel(2); }");
  CHECK(armed("for (int i = 0; i < n; ++i) { k(i); cudaLaunchKernel(i); }") ==
        "for (int i = 0; i < n; ++i) { k(i); !cudaLaunchKernel(i); }");
}

TEST_CASE("the device is told behind a label and not in front of it", "[schemata]") {
  CHECK(armed("switch (n) { case 1: cudaLaunchKernel(1); break; default: cudaLaunchKernel(2); }") ==
        "switch (n) { case 1: !cudaLaunchKernel(1); break; default: !cudaLaunchKernel(2); }");
}

TEST_CASE("a launch inside a lambda or a macro's argument is told of where it stands", "[schemata]") {
  CHECK(armed("auto g = [=] { k(1); return cudaLaunchKernel(n); }; g();") == "auto g = [=] { k(1); !return cudaLaunchKernel(n); }; g();");
  CHECK(armed("k(1); CHECK(cudaLaunchKernel(n));") == "k(1); !CHECK(cudaLaunchKernel(n));");
}

TEST_CASE("what launches nothing, or runs on a device, is left as it is", "[schemata]") {
  CHECK(armed("k(n);") == "k(n);");
  CHECK(armed("cudaLaunchKernel(n);", false) == "cudaLaunchKernel(n);");
}
