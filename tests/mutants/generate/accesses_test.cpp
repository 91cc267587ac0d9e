#include "mutants/driver/generate/accesses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/generate/sample.h"

using namespace redproof::mutants;
using test::Lines;

namespace {

constexpr const char* head =
    "struct Inner { int z; }; struct Pair { int x; Inner in; };\n"
    "struct List { int& operator[](int); void add(int); int size() const; };\n"
    "namespace std { template <class T> struct span { T* begin; T& operator[](int) const; }; }\n"
    "void set(int&); void see(const int&); void fill(int*); int sum(const int*); void put(std::span<int>); void get(std::span<const "
    "int>);\n";

// Of the one statement of a function: `+` before what it writes.
Lines accesses(const std::string& statement) {
  FileSyntax const file = test::parsed(std::string(head) +
                                           "void f(int a, int b, int* p, Pair u, Pair* o, List& list, int (&r)[9], std::span<int> s,\n"
                                           "       std::span<const int> c) { " +
                                           statement + " }\n",
                                       "f");
  Tree const tree{&file, &file.scopes.back()};
  Lines lines;
  for (const Spot& spot : spots_of(tree))
    if (stands_as_statement(spot)) {
      for (const Access& access : accesses_of(spot))
        lines.push_back((access.writes ? "+" : "") + fmt::format("{}", fmt::join(access.path, " ")));
      break;
    }
  return lines;
}

}  // namespace

TEST_CASE("an update writes the place that it names, and reads what it finds it by", "[generate]") {
  CHECK(accesses("a = b;") == Lines{"+f::a", "f::b"});
  CHECK(accesses("a += b;") == Lines{"+f::a", "f::a", "f::b"});
  CHECK(accesses("--*p;") == Lines{"+f::p *", "f::p *"});
  CHECK(accesses("u.in.z = o->x;") == Lines{"+f::u in z", "f::o * x"});
  CHECK(accesses("r[a] = p[b + 1];") == Lines{"+f::r [ a ]", "f::a", "f::p * [ b + 1 ]", "f::b"});
  CHECK(accesses("list[a] = (*o).x;") == Lines{"+f::list [ a ]", "f::a", "f::o * x"});
}

TEST_CASE("a call writes what it is given to write", "[generate]") {
  CHECK(accesses("set(a);") == Lines{"+f::a"});
  CHECK(accesses("see(a);") == Lines{"f::a"});
  CHECK(accesses("fill(p);") == Lines{"f::p", "+f::p *"});
  CHECK(accesses("sum(p);") == Lines{"f::p", "f::p *"});
  CHECK(accesses("fill(&o->x);") == Lines{"+f::o * x"});
  CHECK(accesses("fill(r);") == Lines{"+f::r"});
  CHECK(accesses("sum(r);") == Lines{"f::r"});
  CHECK(accesses("put(s);") == Lines{"+f::s"});
  CHECK(accesses("get(c);") == Lines{"f::c"});
  CHECK(accesses("list.add(a);") == Lines{"+f::list", "f::a"});
  CHECK(accesses("set(list[list.size()]);") == Lines{"f::list", "+f::list [ list . size ( ) ]"});
}

TEST_CASE("places conflict where one is written and part of the other", "[generate]") {
  Access const whole{{"u"}, true, {}}, field{{"u", "x"}, true, {}}, other{{"u", "y"}, true, {}}, behind{{"u", "*"}, true, {}};
  Access const reads_whole{{"u"}, false, {}}, reads_behind{{"u", "*"}, false, {}};
  CHECK(conflict(whole, field));
  CHECK(conflict(field, reads_whole));
  CHECK_FALSE(conflict(field, other));
  CHECK_FALSE(conflict(reads_whole, reads_whole));
  CHECK(conflict(whole, reads_behind));
  CHECK_FALSE(conflict(behind, reads_whole));
  Access const adds{{"u"}, true, "+"}, ors{{"u"}, true, "|="};
  CHECK_FALSE(conflict(adds, adds));
  CHECK(conflict(adds, ors));
}

TEST_CASE("a variable is accumulated where something is added to it by itself", "[generate]") {
  FileSyntax const file = test::parsed(
      "int f(int n) { int sum = 0, last = 0, size = n; for (int i = 0; i < n; ++i) { sum += i; last = i; } return sum + last + size; }\n",
      "f");
  Tree const tree{&file, &file.scopes.back()};
  Lines accumulated;
  for (const Spot& spot : spots_of(tree))
    if (spot.node().kind == NodeKind::declaration && is_accumulated(spot)) accumulated.push_back(spot.node().name);
  CHECK(accumulated == Lines{"sum"});
}
