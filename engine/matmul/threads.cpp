#include "engine/matmul/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

namespace redproof::engine {
namespace {

using Body = std::function<void(std::int64_t, std::int64_t)>;

struct Part {
  std::int64_t begin;
  std::int64_t end;
};

Part part_of(std::int64_t count, std::int64_t parts, std::int64_t index) {
  const std::int64_t size = count / parts;
  const std::int64_t longer = count % parts;  // the first parts take one more
  const std::int64_t begin = index * size + std::min(index, longer);
  return {begin, begin + size + (index < longer ? 1 : 0)};
}

void run_part(const Body& body, Part part, std::exception_ptr& error) {
  try {
    body(part.begin, part.end);
  } catch (...) {
    error = std::current_exception();
  }
}

// Spins before it sleeps: a token's matrix products follow each other within microseconds, a futex wake costs tens of them.
void wait_while_equal(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int spin = 0; spin < 2000; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

// One thread with a mailbox of its own, so that a worker which a call does not need is not woken and reads nothing of it.
class Worker {
 public:
  Worker() : thread_([this] { serve(); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    post(nullptr, {});
    thread_.join();
  }

  void post(const Body* body, Part part) {
    body_ = body;
    part_ = part;
    error_ = nullptr;
    posted_.fetch_add(1, std::memory_order_release);
    posted_.notify_one();
  }

  std::exception_ptr wait() {
    wait_while_equal(finished_, posted_.load(std::memory_order_relaxed) - 1);
    return std::move(error_);
  }

 private:
  void serve() {
    for (std::uint32_t seen = 0;; ++seen) {
      wait_while_equal(posted_, seen);
      if (body_ == nullptr) return;
      run_part(*body_, part_, error_);
      finished_.fetch_add(1, std::memory_order_release);
      finished_.notify_one();
    }
  }

  std::atomic<std::uint32_t> posted_{0};
  std::atomic<std::uint32_t> finished_{0};
  const Body* body_ = nullptr;
  Part part_{};
  std::exception_ptr error_;
  std::thread thread_;  // last: it starts when the rest is there
};

class Pool {
 public:
  // False: the pool serves another call (of another engine, or the one that this call is nested in).
  bool acquire() { return !busy_.exchange(true, std::memory_order_acquire); }
  void release() { busy_.store(false, std::memory_order_release); }

  // How many of `wanted` workers there are now; fewer than that where the system gives no more threads.
  std::int64_t grow(std::int64_t wanted) {
    try {
      while (static_cast<std::int64_t>(workers_.size()) < wanted) workers_.push_back(std::make_unique<Worker>());
    } catch (const std::exception&) {
      return static_cast<std::int64_t>(workers_.size());
    }
    return wanted;
  }

  Worker& worker(std::int64_t index) { return *workers_[static_cast<std::size_t>(index)]; }

 private:
  std::atomic<bool> busy_{false};
  std::vector<std::unique_ptr<Worker>> workers_;
};

Pool& pool() {
  static Pool instance;
  return instance;
}

// Parts that no worker takes run here, one after the other. Returns the error of the first part that failed.
std::exception_ptr run_parts(std::int64_t count, std::int64_t parts, std::int64_t workers, const Body& body) {
  for (std::int64_t i = 0; i < workers; ++i) pool().worker(i).post(&body, part_of(count, parts, parts - workers + i));
  std::exception_ptr first;
  for (std::int64_t index = 0; index < parts - workers && !first; ++index) run_part(body, part_of(count, parts, index), first);
  for (std::int64_t i = 0; i < workers; ++i) {
    std::exception_ptr error = pool().worker(i).wait();
    if (!first) first = std::move(error);
  }
  return first;
}

}  // namespace

void parallel_for(std::int64_t count, int threads, const Body& body) {
  if (count <= 0) return;
  const std::int64_t parts = std::clamp<std::int64_t>(threads, 1, count);
  const bool pooled = parts > 1 && pool().acquire();
  const std::exception_ptr error = run_parts(count, parts, pooled ? pool().grow(parts - 1) : 0, body);
  if (pooled) pool().release();
  if (error) std::rethrow_exception(error);
}

}  // namespace redproof::engine
