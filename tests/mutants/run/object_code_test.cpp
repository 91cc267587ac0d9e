#include "mutants/driver/run/object_code.h"

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("a command's outputs, launchers and source are taken out of it, whatever way the source is named", "[object_code]") {
  CompileCommand command{"/b", "/b/s/a b.cpp", {}, false, {}};
  std::vector<std::string> const tail{"-iquote", "/b/s", "-fmacro-prefix-map=/c/a b.cpp=a b.cpp", "-w", "-g0", "-S", "-o", "/c/x.s"};
  for (std::string const name : {"s/a b.cpp", "/b/s/a b.cpp", "./t/../s/a b.cpp"}) {
    command.words = {"/usr/bin/ccache", "c++", "-DX=1", "-MD", "-MT", "a.o", "-MF", "a.d", "-o", "a.o", "-c", name};
    std::vector<std::string> truth{"env", "-C", "/b", "c++", "-DX=1", "/c/a b.cpp"};
    truth.insert(truth.end(), tail.begin(), tail.end());
    CHECK(assembly_command(command, "/c/a b.cpp", "/c/x.s") == truth);
  }
  command.words = {"c++", "-c", "s/b.cpp"};
  CHECK(assembly_command(command, "/c/a b.cpp", "/c/x.s").empty());
  command.words = {"nvcc", "-c", "s/a b.cpp"};
  command.is_cuda = true;
  CHECK(assembly_command(command, "/c/a b.cpp", "/c/x.s").empty());
}
