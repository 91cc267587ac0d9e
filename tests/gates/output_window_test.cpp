#include "gates/runner/output_window.h"

#include "tests/catch.h"

using redproof::gates::OutputWindow;

TEST_CASE("what fits is kept as it came", "[output_window]") {
  OutputWindow window(10);
  for (auto const* part : {"abc", "", "defg", "hij"}) window.add(part);
  CHECK(window.text() == "abcdefghij");
  CHECK_FALSE(window.truncated());
  CHECK(window.total_bytes() == 10);
}

TEST_CASE("of what does not fit the first and the last half are kept", "[output_window]") {
  OutputWindow window(10);
  for (auto const* part : {"abcdefg", "hijklm", "nopqrstuvwxyz"}) window.add(part);
  CHECK(window.text() == "abcde\n[... 16 bytes left out ...]\nvwxyz");
  CHECK(window.truncated());
  CHECK(window.total_bytes() == 26);
}

TEST_CASE("the window does not depend on how the stream was cut", "[output_window]") {
  std::string stream;
  for (int i = 0; i < 1000; ++i) stream += std::to_string(i);
  OutputWindow whole(101);
  whole.add(stream);
  for (std::size_t step : {1u, 3u, 49u, 50u, 51u, 102u}) {
    OutputWindow parts(101);
    for (std::size_t at = 0; at < stream.size(); at += step) parts.add(std::string_view(stream).substr(at, step));
    CHECK(parts.text() == whole.text());
  }
}

TEST_CASE("a window of nothing counts and keeps nothing", "[output_window]") {
  OutputWindow window(0);
  window.add("abc");
  CHECK(window.text() == "\n[... 3 bytes left out ...]\n");
  CHECK(window.total_bytes() == 3);
}
