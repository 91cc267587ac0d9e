#include "mutants/driver/lab/memory.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("available memory is what the kernel says, and nothing where it says nothing", "[lab]") {
  test::TemporaryFolder const folder;
  auto const file = folder.path() / "meminfo";
  test::write(file, "MemTotal:       16 kB\nMemFree:         1 kB\nMemAvailable:    7 kB\nBuffers:         2 kB\n");
  CHECK(available_memory_bytes(file) == std::uint64_t{7 * 1024});
  test::write(file, "MemTotal:       16 kB\nMemFree:         1 kB\n");
  CHECK_FALSE(available_memory_bytes(file).has_value());
  CHECK_FALSE(available_memory_bytes(folder.path() / "none").has_value());
  CHECK(available_memory_bytes().value_or(0) > 0);
}

TEST_CASE("workers share three quarters of the memory", "[lab]") {
  CHECK(memory_share_bytes(1) > 0);
  CHECK(memory_share_bytes(3) == memory_share_bytes(1) / 3);
}
