#include "mutants/driver/lab/machine.h"

namespace redproof::mutants {

void Machine::lock() {
  std::unique_lock guard(mutex_);
  ++waiting_;
  changed_.wait(guard, [&] { return running_ == 0 && !alone_; });
  --waiting_;
  alone_ = true;
}

void Machine::unlock() {
  std::lock_guard const guard(mutex_);
  alone_ = false;
  changed_.notify_all();
}

void Machine::lock_shared() {
  std::unique_lock guard(mutex_);
  changed_.wait(guard, [&] { return waiting_ == 0 && !alone_; });
  ++running_;
}

void Machine::unlock_shared() {
  std::lock_guard const guard(mutex_);
  if (--running_ == 0) changed_.notify_all();
}

}  // namespace redproof::mutants
