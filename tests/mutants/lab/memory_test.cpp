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

TEST_CASE("a control group's limit counts, the lowest of it and of those above it, and no limit is none", "[lab]") {
  test::TemporaryFolder const folder;
  auto const own = folder.path() / "own";
  auto const limit = [&] { return group_limit_bytes(own, folder.path()); };
  CHECK_FALSE(limit().has_value());
  test::write(own, "9:name=systemd:/\n0::/a/b\n");
  CHECK_FALSE(limit().has_value());
  test::write(folder.path() / "a/b/memory.max", "max\n");
  CHECK_FALSE(limit().has_value());
  test::write(folder.path() / "a/memory.max", "4096\n");
  CHECK(limit() == std::uint64_t{4096});
  test::write(folder.path() / "a/b/memory.max", "8192\n");
  CHECK(limit() == std::uint64_t{4096});
  test::write(folder.path() / "memory.max", "2048\n");  // of a container, whose group is what is mounted
  CHECK(limit() == std::uint64_t{2048});
  test::write(own, "5:memory:/host/c\n0::/\n");
  test::write(folder.path() / "memory/memory.limit_in_bytes", "1024\n");
  CHECK(limit() == std::uint64_t{1024});
  CHECK(memory_bytes() <= group_limit_bytes().value_or(UINT64_MAX));
}

TEST_CASE("there are as many workers as cores, or as memory allows, and one at least", "[lab]") {
  CHECK(workers_for(8, 64ull << 30) == 8);
  CHECK(workers_for(8, 3ull << 30) == 3);
  CHECK(workers_for(8, 1ull << 20) == 1);
  CHECK(workers_for(0, 64ull << 30) == 1);
  CHECK(workers_for(1000, 1ull << 50) == 256);
}
