#include "mutants/driver/schemata/runtime.h"

#include <fmt/format.h>

#include "mutants/driver/schemata/device_runtime.h"

namespace redproof::mutants {
namespace {

// libc's functions under names of our own: a declaration of `getenv` here would have to agree with the project's headers to the letter.
constexpr const char* text = R"runtime(#ifndef REDPROOF_SCHEMATA_H
#define REDPROOF_SCHEMATA_H
#define REDPROOF_SCHEMATA_ONCE __attribute__((weak, visibility("hidden")))
extern "C" {
char* redproof_schemata_getenv(const char*) __asm__("getenv");
int redproof_schemata_open(const char*, int, ...) __asm__("open");
int redproof_schemata_close(int) __asm__("close");
void* redproof_schemata_mmap(void*, unsigned long, int, int, int, long) __asm__("mmap");
void redproof_schemata_exit(int) __asm__("_exit") __attribute__((noreturn));
int redproof_schemata_at_exit(void (*)(void*), void*, void*) __asm__("__cxa_atexit");

// The file that the driver made: what was asked for, and what became of it. All processes of a run share it.
struct redproof_schemata_echo_t {
  unsigned long long magic, limit, processes, active, hits, ticks, hung;
  unsigned long long entered[@FUNCTIONS@], ticked[@FUNCTIONS@];
};
REDPROOF_SCHEMATA_ONCE unsigned char redproof_schemata_gate[@FUNCTIONS@] = {0};
REDPROOF_SCHEMATA_ONCE unsigned redproof_schemata_active = 0;
REDPROOF_SCHEMATA_ONCE struct redproof_schemata_echo_t* redproof_schemata_echo = 0;
REDPROOF_SCHEMATA_ONCE unsigned char redproof_schemata_started = 0;
// Whether one of the functions that are asked for runs on a device.
REDPROOF_SCHEMATA_ONCE unsigned char redproof_schemata_wants_device = 0;

// Rounds that a thread may still take before it tells the echo; none while functions are counted one by one.
static __thread unsigned redproof_schemata_credit __attribute__((unused)) = 0;

REDPROOF_SCHEMATA_ONCE __attribute__((noinline, cold)) unsigned redproof_schemata_spend(unsigned function) {
  struct redproof_schemata_echo_t* const echo = redproof_schemata_echo;
  if (redproof_schemata_active == 0) {
    __atomic_fetch_add(&echo->ticked[function], 1, __ATOMIC_RELAXED);
    return 0;
  }
  if (__atomic_add_fetch(&echo->ticks, 1024, __ATOMIC_RELAXED) <= echo->limit + 1024) return 1023;
  echo->hung = 1;
  redproof_schemata_exit(@HUNG@);
}

static inline void redproof_schemata_tick(unsigned function) {
  if (redproof_schemata_credit != 0)
    --redproof_schemata_credit;
  else
    redproof_schemata_credit = redproof_schemata_spend(function);
}

// The mutant to run instead of the function; 0: its counting copy. Threads may lose one another's hits: that there are some is what counts.
REDPROOF_SCHEMATA_ONCE __attribute__((noinline)) unsigned redproof_schemata_enter(unsigned function) {
  struct redproof_schemata_echo_t* const echo = redproof_schemata_echo;
  if (redproof_schemata_active == 0)
    __atomic_fetch_add(&echo->entered[function], 1, __ATOMIC_RELAXED);
  else
    __atomic_store_n(&echo->hits, __atomic_load_n(&echo->hits, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  redproof_schemata_tick(function);
  return redproof_schemata_active;
}

REDPROOF_SCHEMATA_ONCE unsigned redproof_schemata_number(const char** at) {
  unsigned number = 0;
  if (**at < '0' || **at > '9') redproof_schemata_exit(@NO_ORDERS@);
  for (; **at >= '0' && **at <= '9'; ++*at) number = 10 * number + (unsigned)(**at - '0');
  return number;
}

REDPROOF_SCHEMATA_ONCE void redproof_schemata_obey(const char* orders) {
  redproof_schemata_active = redproof_schemata_number(&orders);
  if (redproof_schemata_active == 0)
    for (unsigned i = 0; i < @FUNCTIONS@; ++i) redproof_schemata_gate[i] = 1;
  while (*orders == ':' || *orders == ',') {
    ++orders;
    if (*orders == 0) break;
    unsigned const function = redproof_schemata_number(&orders);
    if (function >= @FUNCTIONS@) redproof_schemata_exit(@NO_ORDERS@);
    redproof_schemata_gate[function] = 1;
  }
  if (*orders != 0) redproof_schemata_exit(@NO_ORDERS@);
  static const unsigned on_device[] = {@ON_DEVICE@};
  for (unsigned i = 0; i + 1 < sizeof on_device / sizeof *on_device; ++i)
    if (redproof_schemata_gate[on_device[i]] != 0) redproof_schemata_wants_device = 1;
}

REDPROOF_SCHEMATA_ONCE void redproof_schemata_start(void) {
  if (redproof_schemata_started) return;
  redproof_schemata_started = 1;
  const char* const orders = redproof_schemata_getenv("@ACTIVE@");
  if (orders == 0) return;
  const char* const path = redproof_schemata_getenv("@ECHO@");
  int const file = path == 0 ? -1 : redproof_schemata_open(path, 2 | 02000000);
  if (file < 0) redproof_schemata_exit(@NO_ORDERS@);
  void* const memory = redproof_schemata_mmap(0, sizeof(struct redproof_schemata_echo_t), 3, 1, file, 0);
  redproof_schemata_close(file);
  if (memory == (void*)-1) redproof_schemata_exit(@NO_ORDERS@);
  redproof_schemata_echo = (struct redproof_schemata_echo_t*)memory;
  if (redproof_schemata_echo->magic != @MAGIC@ULL) redproof_schemata_exit(@NO_ORDERS@);
  redproof_schemata_obey(orders);
  __atomic_store_n(&redproof_schemata_echo->active, redproof_schemata_active, __ATOMIC_RELAXED);
  __atomic_fetch_add(&redproof_schemata_echo->processes, 1, __ATOMIC_RELAXED);
}
}
// Before every static initialiser, which may run a mutated function already.
static void __attribute__((constructor(101), used)) redproof_schemata_before_all(void) { redproof_schemata_start(); }
)runtime";

std::string with(std::string source, const std::string& name, const std::string& value) {
  for (auto at = source.find(name); at != std::string::npos; at = source.find(name, at + value.size()))
    source.replace(at, name.size(), value);
  return source;
}

}  // namespace

std::string runtime_header(unsigned functions, const std::vector<unsigned>& on_device) {
  std::string header = std::string(text) + (on_device.empty() ? "" : device_runtime_text) + "#endif\n";
  // The last number is none, so that the list is never empty.
  header = with(header, "@ON_DEVICE@", fmt::format("{}{}0", fmt::join(on_device, ", "), on_device.empty() ? "" : ", "));
  header = with(header, "@FUNCTIONS@", std::to_string(functions == 0 ? 1 : functions));
  header = with(header, "@HUNG@", std::to_string(hit_limit_exit_code));
  header = with(header, "@NO_ORDERS@", std::to_string(no_orders_exit_code));
  header = with(header, "@ACTIVE@", active_variable);
  header = with(header, "@ECHO@", echo_variable);
  return with(header, "@MAGIC@", std::to_string(echo_magic));
}

}  // namespace redproof::mutants
