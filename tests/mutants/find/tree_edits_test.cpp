// Each kind of edit: it applies, it is stale at no place, it is stale at two.
#include "mutants/driver/find/tree_edits.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using redproof::mutants::test::edited;

namespace {

constexpr const char* source = R"(struct Scales { float k; float v; };
struct Page { long stride; int store(int a, int b) { return a - b; } };
int store(int k, int v);
float read(float x, float scale) {
  float y = x * scale;
  float z = (x * scale) / 3.0f;
  y *= scale;
  return y + z * -1.5f;
}
int f(int k, int v, Page& page) {
  int total = 0;
  for (int t = 0; t < k; ++t) {
    total += store(k,
                   v);  // both
    if (t > 3 && v != 2) continue;
  }
  total += page.store(v, k);
  Scales scales{1.0f, 2.0f};
  long offset = static_cast<long>(k) * 7;
  total = k > v ? 1 : 0;
  do { ++total; } while (total < 9);
  return -total + static_cast<int>(offset) + static_cast<int>(scales.k);
}
)";

// What the edit made of the line that holds `near`, or why it is stale.
std::string line(const std::string& edit, const std::string& near) {
  std::string const text = edited(source, edit);
  if (text.starts_with("stale") || text.starts_with("broken")) return text;
  CHECK(std::count(text.begin(), text.end(), '\n') == std::count(source, source + std::char_traits<char>::length(source), '\n'));
  auto const at = text.find(near);
  if (at == std::string::npos) return "nowhere";
  auto const begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

bool is_stale(const std::string& edit, const std::string& why) {
  std::string const text = edited(source, edit);
  INFO(text);
  return text.starts_with("stale: ") && text.find(why) != std::string::npos;
}

}  // namespace

TEST_CASE("arguments are swapped, by text and by number, over lines and in braces", "[find]") {
  CHECK(line(R"j({"function":"f","swap_arguments":{"call":"page.store","first":"v","second":"k"}})j", "page.store") ==
        "  total += page.store(k, v);");
  CHECK(line(R"j({"function":"f","swap_arguments":{"call":"store(k, v)","first":0,"second":1}})j", "total += store") ==
        "    total += store(v,");
  CHECK(line(R"j({"function":"f","swap_arguments":{"call":"{1.0f, 2.0f}","first":0,"second":1}})j", "scales{") ==
        "  Scales scales{2.0f, 1.0f};");
  for (const char* call : {"p->store(k, v)", "(*p).store(k, v)", "n::store(k, v)", "store(k, v)"}) {
    CAPTURE(call);
    std::string const head =
        "struct P { int store(int a, int b) { return a - b; } };\nnamespace n { int store(int a, int b); }\nint store(int a, int b);\n";
    std::string const other = std::string(call).substr(0, std::string(call).find('(', 2)) + "(v, k)";
    CHECK(edited(head + "int f(P* p, int k, int v) { return (p != nullptr) + " + call + "; }\n",
                 R"j({"function":"f","swap_arguments":{"call":"store","first":0,"second":1}})j") ==
          head + "int f(P* p, int k, int v) { return (p != nullptr) + " + other + "; }\n");
  }
  CHECK(is_stale(R"j({"function":"f","swap_arguments":{"call":"fetch","first":0,"second":1}})j", "nowhere"));
  CHECK(is_stale(R"j({"function":"f","swap_arguments":{"call":"store","first":0,"second":1}})j", "2 places"));
  CHECK(is_stale(R"j({"function":"f","swap_arguments":{"call":"page.store","first":"q","second":"k"}})j", "0 times"));
}

TEST_CASE("an argument is replaced", "[find]") {
  CHECK(line(R"j({"function":"f","replace_argument":{"call":"page.store","index":1,"with":"0"}})j", "page.store") ==
        "  total += page.store(v, 0);");
  CHECK(line(R"j({"function":"f","replace_argument":{"call":"page.store","argument":"v","with":"0"}})j", "page.store") ==
        "  total += page.store(0, k);");
  CHECK(is_stale(R"j({"function":"f","replace_argument":{"call":"page.store","index":2,"with":"0"}})j", "argument `2` is 0 times"));
  // No number of an argument is the text of one.
  CHECK(edited("int g(int a, int b);\nint f(int k) { return g(k, 7); }\n",
               R"j({"function":"f","replace_argument":{"call":"g","argument":"7","with":"8"}})j") ==
        "int g(int a, int b);\nint f(int k) { return g(k, 8); }\n");
  CHECK(is_stale(R"j({"function":"f","replace_argument":{"call":"nothing","index":0,"with":"0"}})j", "nowhere"));
  CHECK(is_stale(R"j({"function":"f","replace_argument":{"call":"store","index":0,"with":"0"}})j", "2 places"));
}

TEST_CASE("an operand or an expression is replaced", "[find]") {
  CHECK(line(R"j({"function":"f","replace_operand":{"expression":"static_cast<long>( k ) * 7","operand":"7","with":"8"}})j", "offset =") ==
        "  long offset = static_cast<long>(k) * 8;");
  CHECK(line(R"j({"function":"f","replace_expression":{"expression":"t < k","with":"t <= k"}})j", "for (") ==
        "  for (int t = 0; t <= k; ++t) {");
  CHECK(is_stale(R"j({"function":"f","replace_expression":{"expression":"t < 99","with":"1"}})j", "nowhere"));
  CHECK(is_stale(R"j({"function":"read","replace_expression":{"expression":"x * scale","with":"x"}})j", "2 places"));
}

TEST_CASE("a factor is dropped from a product, a quotient and an assignment", "[find]") {
  CHECK(line(R"j({"function":"read","drop_factor":{"expression":"(x * scale) / 3.0f","factor":"3.0f"}})j", "float z") ==
        "  float z = (x * scale);");
  CHECK(line(R"j({"function":"read","drop_factor":{"expression":"(x * scale) / 3.0f","factor":"scale"}})j", "float z") ==
        "  float z = (x) / 3.0f;");
  CHECK(line(R"j({"function":"read","drop_factor":{"expression":"z * -1.5f","factor":"z"}})j", "return y") == "  return y + -1.5f;");
  CHECK(line(R"j({"function":"read","drop_factor":{"expression":"y *= scale","factor":"scale"}})j", "  y") == "  y;");
  // What is divided or assigned to is no factor.
  CHECK(is_stale(R"j({"function":"read","drop_factor":{"expression":"(x * scale) / 3.0f","factor":"(x * scale)"}})j", "0 places"));
  CHECK(is_stale(R"j({"function":"read","drop_factor":{"expression":"y *= scale","factor":"y"}})j", "0 places"));
  CHECK(is_stale(R"j({"function":"read","drop_factor":{"expression":"x * nothing","factor":"x"}})j", "nowhere"));
  CHECK(is_stale(R"j({"function":"read","drop_factor":{"expression":"x * scale","factor":"scale"}})j", "2 places"));
  CHECK(is_stale(R"j({"function":"read","drop_factor":{"expression":"z * -1.5f","factor":"q"}})j", "0 places"));
}

TEST_CASE("a statement is deleted and its lines stay", "[find]") {
  CHECK(line(R"j({"function":"f","delete_statement":{"statement":"total += store(k, v);"}})j", "// both") == "  // both");
  CHECK(line(R"j({"function":"f","delete_statement":{"statement":"if (t > 3 && v != 2) continue;"}})j", "  }\n  total") == "  }");
  CHECK(is_stale(R"j({"function":"f","delete_statement":{"statement":"total = 5;"}})j", "nowhere"));
  CHECK(edited("int g(int n) { n += 1; n += 1; return n; }\n", R"j({"function":"g","delete_statement":{"statement":"n += 1"}})j")
            .starts_with("stale: statement `n += 1` is at 2 places in g: lines 1"));
}

TEST_CASE("a statement moves before and after another", "[find]") {
  CHECK(line(R"j({"function":"f","move_statement":{"statement":"total += page.store(v, k);","before":"int total = 0;"}})j", "int total") ==
        "  total += page.store(v, k); int total = 0;");
  CHECK(line(R"j({"function":"f","move_statement":{"statement":"int total = 0;","after":"total += page.store(v, k)"}})j", "page.store") ==
        "  total += page.store(v, k); int total = 0;");
  // A raw string keeps its lines.
  CHECK(edited("int f(int a) {\n  auto t = R\"(a\nb)\";\n  a = 2;\n  return a + t[0];\n}\n",
               R"j({"function":"f","move_statement":{"statement":"auto t = R\"(a\nb)\";","after":"a = 2;"}})j") ==
        "int f(int a) {\n  \n  a = 2; auto t = R\"(a\nb)\";\n  return a + t[0];\n}\n");
  CHECK(is_stale(R"j({"function":"f","move_statement":{"statement":"int q;","after":"int total = 0;"}})j", "nowhere"));
  CHECK(is_stale(R"j({"function":"f","move_statement":{"statement":"int total = 0;","after":"int q;"}})j", "nowhere"));
}

TEST_CASE("a condition is forced in an if, a loop and a choice", "[find]") {
  CHECK(line(R"j({"function":"f","force_condition":{"condition":"t>3&&v!=2","value":false}})j", "continue") == "    if (false) continue;");
  CHECK(line(R"j({"function":"f","force_condition":{"condition":"t < k","value":true}})j", "for (") == "  for (int t = 0; true; ++t) {");
  CHECK(line(R"j({"function":"f","force_condition":{"condition":"k > v","value":true}})j", "? 1") == "  total = true ? 1 : 0;");
  CHECK(line(R"j({"function":"f","force_condition":{"condition":"total < 9","value":false}})j", "do {") ==
        "  do { ++total; } while (false);");
  CHECK(is_stale(R"j({"function":"f","force_condition":{"condition":"v != 2","value":true}})j", "nowhere"));
  CHECK(is_stale(R"j({"function":"f","force_condition":{"condition":"t < k","value":"t > k"}})j", "value must be true or false"));
  CHECK(is_stale(R"j({"function":"f","force_condition":{"condition":"t < k","value":1}})j", "value must be true or false"));
}

TEST_CASE("an operator is replaced or dropped", "[find]") {
  CHECK(line(R"j({"function":"f","replace_operator":{"expression":"t > 3 && v != 2","with":"||"}})j", "continue") ==
        "    if (t > 3 || v != 2) continue;");
  CHECK(line(R"j({"function":"f","replace_operator":{"expression":"-total","with":""}})j", "return total +")
            .starts_with("  return total + static_cast"));
  CHECK(line(R"j({"function":"read","replace_operator":{"expression":"y *= scale","with":"="}})j", "y = scale") == "  y = scale;");
  CHECK(is_stale(R"j({"function":"f","replace_operator":{"expression":"t < 4","with":">"}})j", "nowhere"));
  CHECK(is_stale(R"j({"function":"read","replace_operator":{"expression":"x * scale","with":"/"}})j", "2 places"));
  CHECK(is_stale(R"j({"function":"f","replace_operator":{"expression":"t < k","with":""}})j", "one operand"));
}

TEST_CASE("a literal is replaced, with its sign where it has one", "[find]") {
  CHECK(line(R"j({"function":"f","replace_literal":{"literal":"7","with":"8"}})j", "offset =") ==
        "  long offset = static_cast<long>(k) * 8;");
  CHECK(line(R"j({"function":"read","replace_literal":{"literal":"-1.5f","with":"2.0f"}})j", "return y") == "  return y + z * 2.0f;");
  CHECK(is_stale(R"j({"function":"f","replace_literal":{"literal":"77","with":"8"}})j", "nowhere"));
  CHECK(is_stale(R"j({"function":"f","replace_literal":{"literal":"0","with":"8"}})j", "places"));
}

TEST_CASE("a name is replaced where it is used, not where it is declared", "[find]") {
  CHECK(line(R"j({"function":"f","replace_name":{"name":"offset","with":"total"}})j", "return -") ==
        "  return -total + static_cast<int>(total) + static_cast<int>(scales.k);");
  CHECK(line(R"j({"function":"f","replace_name":{"name":"k","with":"v","within":"scales.k"}})j", "return -").ends_with("(scales.v);"));
  CHECK(line(R"j({"function":"f","replace_name":{"name":"k","with":"v","within":"for (int t = 0; t < k; ++t)"}})j", "nothing")
            .starts_with("stale: name `k` is used 2 times"));
  CHECK(is_stale(R"j({"function":"f","replace_name":{"name":"absent","with":"v"}})j", "0 times"));
}

TEST_CASE("a type is narrowed in a declaration and by a cast", "[find]") {
  CHECK(line(R"j({"function":"f","narrow_type":{"declaration":"offset","to":"short"}})j", "offset =") ==
        "  short offset = static_cast<long>(k) * 7;");
  CHECK(line(R"j({"function":"f","narrow_type":{"declaration":"long offset = static_cast<long>(k) * 7;","to":"short"}})j", "offset =") ==
        "  short offset = static_cast<long>(k) * 7;");
  CHECK(line(R"j({"function":"f","narrow_type":{"expression":"static_cast<long>(k) * 7","to":"int"}})j", "offset =") ==
        "  long offset = static_cast<int>(static_cast<long>(k) * 7);");
  CHECK(line(R"j({"function":"Page","narrow_type":{"declaration":"stride","to":"int"}})j", "stride")
            .starts_with("struct Page { int stride;"));
  // What says how it is stored stays.
  for (const char* stored : {"const", "constexpr", "static", "thread_local", "static constinit", "volatile", "static volatile const"}) {
    CAPTURE(stored);
    CHECK(edited(std::string("long f() { ") + stored + " long n = 3; return n; }\n",
                 R"j({"function":"f","narrow_type":{"declaration":"n","to":"int"}})j") ==
          std::string("long f() { ") + stored + " int n = 3; return n; }\n");
  }
  CHECK(edited("struct S { mutable volatile long n; };\n", R"j({"function":"S","narrow_type":{"declaration":"n","to":"int"}})j") ==
        "struct S { mutable volatile int n; };\n");
  CHECK(edited("struct S { inline static long n = 3; };\n", R"j({"function":"S","narrow_type":{"declaration":"n","to":"int"}})j") ==
        "struct S { inline static int n = 3; };\n");
  CHECK(edited("long f() { extern long n; return n; }\n", R"j({"function":"f","narrow_type":{"declaration":"n","to":"int"}})j") ==
        "long f() { extern int n; return n; }\n");
  CHECK(is_stale(R"j({"function":"f","narrow_type":{"declaration":"absent","to":"int"}})j", "nowhere"));
}
