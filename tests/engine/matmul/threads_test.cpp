#include "engine/matmul/threads.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tests/catch.h"

using redproof::engine::parallel_for;

namespace {

using Parts = std::vector<std::pair<std::int64_t, std::int64_t>>;

Parts parts_of(std::int64_t count, int threads) {
  Parts parts;
  std::mutex mutex;
  parallel_for(count, threads, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    parts.emplace_back(begin, end);
  });
  std::sort(parts.begin(), parts.end());
  return parts;
}

}  // namespace

TEST_CASE("parallel_for covers every index once, in parts that follow from count and threads alone", "[threads]") {
  CHECK(parts_of(10, 1) == Parts{{0, 10}});
  CHECK(parts_of(10, 3) == Parts{{0, 4}, {4, 7}, {7, 10}});
  CHECK(parts_of(3, 8) == Parts{{0, 1}, {1, 2}, {2, 3}});
  CHECK(parts_of(1, 4) == Parts{{0, 1}});
  CHECK(parts_of(0, 4).empty());
  CHECK(parts_of(-1, 4).empty());
  CHECK(parts_of(5, 0) == Parts{{0, 5}});
  CHECK(parts_of(5, -3) == Parts{{0, 5}});
}

TEST_CASE("parallel_for gives the same sums over many calls with changing thread counts", "[threads]") {
  std::vector<std::int64_t> cells(1000);
  for (int round = 0; round < 3000; ++round) {
    parallel_for(1000, 1 + round % 5, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) cells[static_cast<std::size_t>(i)] += i;
    });
  }
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < 1000; ++i) wrong += cells[static_cast<std::size_t>(i)] != 3000 * i;
  CHECK(wrong == 0);
}

TEST_CASE("parallel_for throws what the first failing part threw, after every started part ended", "[threads]") {
  std::atomic<int> ended{0};
  const auto body = [&](std::int64_t begin, std::int64_t) {
    ++ended;
    if (begin >= 1) throw std::runtime_error("part " + std::to_string(begin));
  };
  CHECK_THROWS_WITH(parallel_for(4, 4, body), "part 1");
  CHECK(ended == 4);
  // And again: an error leaves every thread free for the next call.
  for (int times = 2; times < 20; ++times) {
    CHECK_THROWS_WITH(parallel_for(4, 4, body), "part 1");
    CHECK(ended == 4 * times);
  }
  std::mutex mutex;
  std::set<std::thread::id> threads;
  parallel_for(2, 2, [&](std::int64_t, std::int64_t) {
    std::lock_guard const lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  CHECK(threads.size() == 2);
  CHECK_THROWS_WITH(parallel_for(4, 1, [](std::int64_t, std::int64_t) { throw std::runtime_error("alone"); }), "alone");
  CHECK(parts_of(4, 2) == Parts{{0, 2}, {2, 4}});
}

TEST_CASE("parallel_for nests: an inner call runs its parts in the thread that made it", "[threads]") {
  std::atomic<std::int64_t> sum{0};
  std::atomic<int> strangers{0};
  parallel_for(6, 3, [&](std::int64_t begin, std::int64_t end) {
    const auto self = std::this_thread::get_id();
    for (std::int64_t i = begin; i < end; ++i) {
      parallel_for(5, 2, [&](std::int64_t first, std::int64_t last) {
        sum += last - first;
        strangers += std::this_thread::get_id() != self;
      });
    }
  });
  CHECK(sum == 30);
  CHECK(strangers == 0);
}

TEST_CASE("parallel_for serves two callers at the same time", "[threads]") {
  std::vector<std::int64_t> sums(2);
  const auto caller = [&](std::size_t which) {
    for (int round = 0; round < 2000; ++round) {
      std::atomic<std::int64_t> sum{0};
      parallel_for(64, 2, [&](std::int64_t begin, std::int64_t end) { sum += end - begin; });
      sums[which] += sum;
    }
  };
  std::thread other(caller, 1);
  caller(0);
  other.join();
  CHECK(sums == std::vector<std::int64_t>{128000, 128000});
}
