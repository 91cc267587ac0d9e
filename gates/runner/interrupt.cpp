#include "gates/runner/interrupt.h"

#include <atomic>
#include <csignal>

namespace redproof::gates {

namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void note_signal(int) { flag.store(true); }

}  // namespace

void watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  for (int const signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  action.sa_handler = SIG_IGN;
  for (int const signal : {SIGPIPE, SIGXFSZ}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return flag.load(); }
void interrupt() { flag.store(true); }
void forget_interrupt() { flag.store(false); }

}  // namespace redproof::gates
