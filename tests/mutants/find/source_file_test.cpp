#include "mutants/driver/find/source_file.h"

#include <set>

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("sources are known by their endings", "[find]") {
  std::set<std::string> const units = {"a.c", "d/a.cc", "a.cpp", "a.cxx", "a.c++", "a.C", "a.cu"};
  std::set<std::string> const headers = {"a.h", "a.hh", "a.hpp", "a.hxx", "a.h++", "a.cuh"};
  std::set<std::string> const fragments = {"a.inc", "a.ipp", "a.inl", "a.tpp"};
  for (const auto& files : {units, headers, fragments})
    for (const std::string& file : files) {
      INFO(file);
      CHECK(is_source(file));
      CHECK(is_cpp(file) == (file != "a.c"));
      CHECK(is_host_source(file) == (file != "a.cu" && file != "a.cuh"));
      CHECK(is_unit(file) == units.contains(file));
      CHECK(is_fragment(file) == fragments.contains(file));
    }
  for (const char* file : {"a.py", "a", "cpp", ".cpp", "a.cpp.txt", "a.H5", "d.cpp/a", "a.md", "a.def", "CMakeLists.txt"}) {
    INFO(file);
    CHECK_FALSE(is_source(file));
    CHECK_FALSE(is_cpp(file));
    CHECK_FALSE(is_host_source(file));
    CHECK_FALSE(is_unit(file));
    CHECK_FALSE(is_fragment(file));
  }
}
