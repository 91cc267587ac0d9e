#include "mutants/driver/lab/machine.h"

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "tests/catch.h"

using redproof::mutants::Machine;

TEST_CASE("whoever is alone has nobody beside it, while others never pause", "[lab]") {
  Machine machine;
  std::atomic<int> running{0}, most{0}, beside_one_alone{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i)
    others.emplace_back([&] {
      while (!done) {
        std::shared_lock const beside_others(machine);
        int const now = ++running;
        if (now > most) most = now;
        std::this_thread::yield();
        --running;
      }
    });
  while (most < 2) std::this_thread::yield();
  // At each moment one of the others runs: only its being first in line lets it in.
  for (int i = 0; i < 100; ++i) {
    std::unique_lock const alone(machine);
    beside_one_alone += running;
  }
  done = true;
  for (std::thread& other : others) other.join();
  CHECK(beside_one_alone == 0);
}
