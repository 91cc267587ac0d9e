#include "mutants/driver/run/object_code.h"

#include <fmt/format.h>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/nvcc.h"
#include "tests/skip.h"

using namespace redproof::mutants;

namespace {

using Words = std::vector<std::string>;

const std::string kernels =
    "#include \"three.h\"\n"
    "namespace {\n"
    "__device__ int twice(int a) { return a * 2; }\n"
    "}\n"
    "static __global__ void add(int* out, int a, int b) { out[threadIdx.x] = twice(a) + b * three; }\n"
    "int launch(int* out, int n) {\n"
    "  add<<<1, 32>>>(out, n, 2);\n"
    "  return n + 1;\n"
    "}\n";

// A tree with one source of CUDA and its compile command.
class Tree {
 public:
  explicit Tree(const std::string& compiler) {
    test::write(folder_.path() / "project/src/kernels.cu", kernels);
    test::write(folder_.path() / "project/src/three.h", "constexpr int three = 3;\n");
    worker_.copy(folder_.path() / "project", {"src/kernels.cu", "src/three.h"});
    test::write(worker_.tree() / "db.json",
                fmt::format(R"([{{"directory":"{}","file":"src/kernels.cu","command":"{} -O2 -g -lineinfo -gencode=arch=compute_90a,)"
                            R"(code=sm_90a -MD -MF a.d -c src/kernels.cu -o a.o"}}])",
                            worker_.tree().string(), compiler));
    code_.emplace(worker_.tree() / "db.json", worker_);
  }
  ObjectCode::Pair with(const std::string& old, const std::string& text) {
    MutatedFile file{"src/kernels.cu", kernels, kernels, {}, {}, {}};
    file.after.replace(file.after.find(old), old.size(), text);
    return code_->of(file, folder_.path() / "home/compared");
  }
  bool is_untouched() const { return !std::filesystem::exists(worker_.tree() / "a.o") && !std::filesystem::exists(worker_.tree() / "a.d"); }

 private:
  test::TemporaryFolder folder_;
  LabConfig config_;
  Worker worker_{config_, folder_.path() / "home", {}};
  std::optional<ObjectCode> code_;
};

}  // namespace

TEST_CASE("a command's outputs, launchers and source are taken out of it, whatever way the source is named", "[object_code]") {
  CompileCommand command{"/b", "/b/s/a b.cpp", {}, false, {}};
  Words const tail{"-iquote", "/b/s", "-fmacro-prefix-map=/c/a b.cpp=a b.cpp", "-w", "-g0", "-S", "-o", "/c/x.s"};
  for (std::string const name : {"s/a b.cpp", "/b/s/a b.cpp", "./t/../s/a b.cpp"}) {
    command.words = {"/usr/bin/ccache", "c++", "-DX=1", "-MD", "-MT", "a.o", "-MF", "a.d", "-o", "a.o", "-c", name};
    Words truth{"env", "-C", "/b", "c++", "-DX=1", "/c/a b.cpp"};
    truth.insert(truth.end(), tail.begin(), tail.end());
    CHECK(code_command(command, "/c/a b.cpp", "/c/x.s") == truth);
  }
  command.words = {"c++", "-c", "s/b.cpp"};
  CHECK(code_command(command, "/c/a b.cpp", "/c/x.s").empty());
}

TEST_CASE("a command of CUDA becomes one that writes an object, relocatable where it was", "[object_code]") {
  CompileCommand command{"/b", "/b/s/a.cu", {}, true, {"nvcc", "-G", "-g", "-lineinfo", "-x", "cu", "-c", "s/a.cu", "-o", "a.o"}};
  Words const host{"-Xcompiler", "-iquote,/b/s,-fmacro-prefix-map=/c/a.cu=a.cu,-g0", "-w"};
  Words truth{"env", "-C", "/b", "nvcc", "-G", "-x", "cu", "/c/a.cu", host[0], host[1], host[2], "-c", "-o", "/c/x.o"};
  CHECK(code_command(command, "/c/a.cu", "/c/x.o") == truth);
  command.words = {"nvcc", "-dc", "s/a.cu", "--output-file", "a.o"};
  truth = {"env", "-C", "/b", "nvcc", "-dc", "/c/a.cu", host[0], host[1], host[2], "-o", "/c/x.o"};
  CHECK(code_command(command, "/c/a.cu", "/c/x.o") == truth);
  CHECK(code_command(command, "/c,d/a.cu", "/c,d/x.o").empty());
}

TEST_CASE("of a kernel the compiler makes the same code or not, and of what launches it", "[object_code]") {
  std::string const compiler = test::nvcc();
  if (compiler.empty()) return skip_case(test::no_nvcc);
  Tree tree(compiler);
  CHECK(tree.with("twice(a) + b * three", "b * three + twice(a)").same());
  ObjectCode::Pair const constant = tree.with("a * 2", "a * 3");
  CHECK(constant.after.size() == 64);
  CHECK_FALSE(constant.same());
  ObjectCode::Pair const host = tree.with("n + 1", "n + 2");
  CHECK(host.after.size() == 64);
  CHECK(host.before == constant.before);
  CHECK_FALSE(host.same());
  ObjectCode::Pair const broken = tree.with("n + 1", "n +");
  CHECK(broken.after.empty());
  CHECK_FALSE(broken.same());
  CHECK(tree.is_untouched());
}
