#include "properties/generators/interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace redproof::properties {
namespace {

std::atomic<bool> noted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_signal(int) { noted.store(true); }

}  // namespace

void watch_interrupts() {
  for (const int signal : {SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note_signal);
  if (std::signal(SIGHUP, note_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
}

void stop_if_interrupted() {
  if (noted.load(std::memory_order_relaxed)) throw Interrupted();
}

}  // namespace redproof::properties
