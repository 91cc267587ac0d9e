#include "engine/checkpoint/shrink_watch.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "engine/checkpoint/printable.h"

namespace redproof::engine {
namespace {

constexpr int most_watched = 1024;
constexpr std::size_t line_bytes = 512;

// A handler may take no lock and allocate nothing: the line is written beforehand, `begin` is published last and withdrawn first.
struct Watch {
  std::atomic<std::uintptr_t> begin{0};  // 0: free
  std::atomic<std::uintptr_t> end{0};
  std::array<char, line_bytes> line{};
  std::size_t length = 0;
};

std::array<Watch, most_watched> watches;
std::mutex watches_mutex;
struct sigaction previous;

void report_shrunk(const Watch& watch) {
  [[maybe_unused]] ssize_t const written = ::write(STDERR_FILENO, watch.line.data(), watch.length);
  ::_exit(1);
}

void on_bus_error(int signal, siginfo_t* info, void*) {
  auto const address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Watch& watch : watches) {
    std::uintptr_t const begin = watch.begin.load(std::memory_order_acquire);
    if (begin != 0 && address >= begin && address < watch.end.load(std::memory_order_acquire)) report_shrunk(watch);
  }
  ::sigaction(signal, &previous, nullptr);  // the faulting instruction runs again, under the earlier handler
}

void install_handler() {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &previous);
}

void write_line(Watch& watch, const std::string& file) {
  constexpr const char* said = ": shrank while it was mapped\n";
  std::size_t const tail = std::strlen(said);
  std::string const line = printable(file).substr(0, line_bytes - tail) + said;
  std::copy(line.begin(), line.end(), watch.line.begin());
  watch.length = line.size();
}

}  // namespace

int watch_mapping(std::span<const std::byte> range, const std::string& file) {
  static std::once_flag installed;
  std::call_once(installed, install_handler);
  std::lock_guard const lock(watches_mutex);
  for (int handle = 0; handle < most_watched; ++handle) {
    Watch& watch = watches[static_cast<std::size_t>(handle)];
    if (watch.begin.load(std::memory_order_relaxed) != 0) continue;
    write_line(watch, file);
    auto const begin = reinterpret_cast<std::uintptr_t>(range.data());
    watch.end.store(begin + range.size(), std::memory_order_release);
    watch.begin.store(begin, std::memory_order_release);
    return handle;
  }
  return -1;
}

void unwatch_mapping(int handle) {
  if (handle < 0) return;
  std::lock_guard const lock(watches_mutex);
  watches[static_cast<std::size_t>(handle)].begin.store(0, std::memory_order_release);
}

}  // namespace redproof::engine
