// Who runs on this machine: any number side by side, or one alone.
#pragma once
#include <condition_variable>
#include <mutex>

namespace redproof::mutants {

// For std::shared_lock (beside others) and std::unique_lock (alone). Whoever waits to be alone comes before all who come later, so that a
// run that never pauses keeps nobody waiting for ever.
class Machine {
 public:
  void lock();
  void unlock();
  void lock_shared();
  void unlock_shared();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned running_ = 0;  // beside one another
  unsigned waiting_ = 0;  // to be alone
  bool alone_ = false;
};

}  // namespace redproof::mutants
