#include "mutants/driver/find/source_file.h"

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("sources are known by their endings", "[find]") {
  for (const char* file : {"a.cpp", "d/a.cc", "a.cxx", "a.C", "a.h", "a.hh", "a.hpp", "a.hxx", "a.inc", "a.ipp", "a.cu", "a.cuh", "a.c"}) {
    INFO(file);
    CHECK(is_source(file));
    CHECK(is_cpp(file) == (file != std::string("a.c")));
    CHECK(is_fragment(file) == (file == std::string("a.inc") || file == std::string("a.ipp")));
  }
  for (const char* file : {"a.py", "a", "cpp", ".cpp", "a.cpp.txt", "a.H5", "d.cpp/a"}) {
    INFO(file);
    CHECK_FALSE(is_source(file));
    CHECK_FALSE(is_cpp(file));
  }
}
