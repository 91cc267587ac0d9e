// Whatever kind a function is, its mutant does the same chosen at run time as it does alone.
#include "mutants/driver/schemata/clone.h"

#include "tests/catch.h"
#include "tests/mutants/schemata/sample.h"

using namespace redproof::mutants;
using test::Sample;

namespace {

constexpr const char* source = R"(#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>
namespace {
struct Hidden { int n; };
int plain(int a, int b) { return 10 * a + b; }
void by_reference(int& out, const std::string& text) { out += static_cast<int>(text.size()); }
std::unique_ptr<int> moved(std::unique_ptr<int> owner) { *owner += 5; return owner; }
auto deduced(int a) { return a * 3; }
Hidden hidden(int a) { return {a + 1}; }
constexpr int known(int a) { return a + 7; }
int recursive(int n) { return n <= 0 ? 0 : n + recursive(n - 1); }
template <typename T, typename... Rest> T sum(T first, Rest... rest) { T total = first; ((total += rest), ...); return total; }
struct Shape {
  explicit Shape(int side) : side_(side) { area_ = side * side; }
  ~Shape() { std::printf("gone %d\n", area_); }
  int area() const { return area_; }
  static int corners(int extra) { return 4 + extra; }
  operator int() const { return side_ + 100; }
  Shape& operator+=(int more) { side_ += more; return *this; }
 private:
  int side_, area_ = 0;
};
int loops(const std::vector<int>& values) {
  int total = 0;
  for (int value : values) total += value;
  for (std::size_t i = 0; i < values.size(); ++i) { total += static_cast<int>(i); }
  int left = 3;
  while (left > 0) --left, ++total;
  do total += 2; while (total < 0);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (i == j) continue; else total += 1;
  return total;
}
int counted() { static int calls = 40; return ++calls; }
int with_lambda(int a) { auto const twice = [&](int b) { return a * b; }; return twice(2) + [a] { return a; }(); }
const char* own_name() { return __func__ + 0; }
int thrown(int a) { try { if (a > 1) throw a; } catch (int caught) { return caught + 20; } return 0; }
void nothing(int a) { if (a == 0) return; std::printf("nothing %d\n", a); }
int early = plain(7, 7);
}  // namespace
int main() {
  int out = 1;
  by_reference(out, "four");
  std::printf("%d %d %d %d %d %d\n", plain(1, 2), out, *moved(std::make_unique<int>(1)), deduced(2), hidden(1).n, known(out));
  std::printf("%d %d %.1f\n", recursive(4), sum(1, 2, 3), sum(0.5, 1.0));
  Shape shape(3);
  shape += 2;
  std::printf("%d %d %d\n", shape.area(), Shape::corners(1), int(shape));
  std::printf("%d %d %d %s %d %d\n", loops({1, 2, 3}), counted(), with_lambda(5), own_name(), thrown(2), early);
  nothing(0);
  nothing(1);
  return 0;
}
)";

const std::vector<test::Edited> mutants = {
    {"10 * a + b", "10 * b + a"},
    {"out += static_cast", "out -= static_cast"},
    {"*owner += 5", "*owner -= 5"},
    {"return a * 3", "return a * 4"},
    {"{a + 1}", "{a - 1}"},
    {"return a + 7", "return a + 8"},
    {"n + recursive(n - 1)", "n * recursive(n - 1)"},
    {"total = first", "total = first + first"},
    {"side * side;", "side + side;"},
    {"gone %d", "went %d"},
    {"return area_;", "return side_;"},
    {"4 + extra", "4 - extra"},
    {"side_ + 100", "side_ - 100"},
    {"side_ += more", "side_ -= more"},
    {"total += value;", "total -= value;"},
    {"i < values.size()", "i + 1 < values.size()"},
    {"--left, ++total", "--left, total += 2"},
    {"do total += 2;", "do total += 3;"},
    {"i == j", "i < j"},
    {"calls = 40", "calls = 50"},
    {"a * b", "a + b"},
    {"__func__ + 0", "__func__ + 1"},
    {"caught + 20", "caught - 20"},
    {"a == 0", "a == 1"},
};

}  // namespace

TEST_CASE("a mutant chosen at run time does what it does alone, whatever kind its function is", "[schemata]") {
  Sample sample(source, mutants);
  REQUIRE(sample.build_all() == "");
  CHECK(sample.rewritten().left_out.empty());
  std::string const pristine = sample.run_all(-1).output;
  CHECK(pristine.find("12 5 6 6 2 12\n10 6 1.5\n") == 0);
  for (unsigned mutant = 1; mutant <= mutants.size(); ++mutant) {
    INFO(mutants[mutant - 1].find << " -> " << mutants[mutant - 1].replace);
    auto const together = sample.run_all(static_cast<int>(mutant));
    auto const alone = sample.run_alone(mutant);
    CHECK(together.exit_code == alone.exit_code);
    CHECK(together.output == alone.output);
    CHECK(together.output != pristine);
    Echo const echo = sample.echo();
    CHECK(echo.active == mutant);
    CHECK(echo.processes == 1);
    CHECK(echo.hits > 0);
  }
}

TEST_CASE("counting copies change nothing and count entries and rounds", "[schemata]") {
  Sample sample(source, mutants);
  REQUIRE(sample.build_all() == "");
  CHECK(sample.run_all(0).output == sample.run_all(-1).output);
  CHECK(sample.run_all(0).exit_code == 0);
  Echo const echo = sample.echo();
  CHECK(echo.active == 0);
  CHECK(echo.hits == 0);
  auto const of = [&](const std::string& name) {
    auto const& functions = sample.rewritten().functions;
    for (std::size_t i = 0; i < functions.size(); ++i)
      if (functions[i].name.ends_with(name)) return std::pair(echo.entered[i], echo.ticked[i]);
    return std::pair(std::uint64_t{0}, std::uint64_t{0});
  };
  CHECK(of("plain") == std::pair(std::uint64_t{2}, std::uint64_t{2}));  // one of them before main
  CHECK(of("recursive") == std::pair(std::uint64_t{5}, std::uint64_t{5}));
  CHECK(of("loops") == std::pair(std::uint64_t{1}, std::uint64_t{1 + 3 + 3 + 3 + 1 + 2 + 4}));
}

TEST_CASE("a mutant that does not end runs into its hit limit, at the same place each time", "[schemata]") {
  Sample sample("int f(int n) { while (n > 0) --n; return n; }\nint main() { return f(3); }\n", {{"n > 0", "n > -1 || n < 9"}});
  REQUIRE(sample.build_all() == "");
  CHECK(sample.run_all(1, 1000).exit_code == 119);
  CHECK(sample.echo().hung);
  CHECK(sample.run_all(-1).exit_code == 0);
}

TEST_CASE("without orders the pristine body runs, with them the mutant", "[schemata]") {
  Sample sample("int f(int n) { return n; }\nint main() { return f(0); }\n", {{"return n", "return n + 3"}});
  REQUIRE(sample.build_all() == "");
  CHECK(sample.run_all(1).exit_code == 3);
  CHECK(sample.run_all(-1).exit_code == 0);
}

TEST_CASE("what falls off the end of its function does not go on with the next body", "[schemata]") {
  Sample sample("int f(int n) { if (n == 1) return 5; return 6; }\nint main() { return f(1); }\n",
                {{"return 5;", ";"}, {"if (n == 1) return 5; return 6;", ";"}, {"return 6;", "return 7;"}});
  REQUIRE(sample.build_all() == "");
  CHECK(sample.run_all(1).exit_code == 6);
  CHECK(sample.run_all(2).exit_code > 128);
  CHECK(sample.run_all(3).exit_code == 5);
}
