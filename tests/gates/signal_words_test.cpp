#include "gates/runner/signal_words.h"

#include <csignal>

#include "tests/catch.h"

using redproof::gates::signal_words;

TEST_CASE("a signal is told by its number, its name and its meaning", "[signal_words]") {
  CHECK(signal_words(SIGSEGV) == "signal 11 (SIGSEGV, Segmentation fault)");
  CHECK(signal_words(SIGXFSZ) == "signal 25 (SIGXFSZ, File size limit exceeded)");
  CHECK(signal_words(SIGKILL) == "signal 9 (SIGKILL, Killed)");
}

TEST_CASE("a signal without a name is told by its number", "[signal_words]") {
  CHECK(signal_words(SIGRTMAX) == "signal 64");
  CHECK(signal_words(0) == "signal 0");
}
