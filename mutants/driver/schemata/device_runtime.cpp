#include "mutants/driver/schemata/device_runtime.h"

namespace redproof::mutants {

// Each source has variables of its own, since without relocatable device code none can be shared; a launch in any of them sets all.
const char* const device_runtime_text = R"runtime(
#ifdef __CUDACC__
struct redproof_schemata_device_t {
  unsigned active;
  unsigned long long limit;
  struct redproof_schemata_echo_t* echo;
  unsigned gate[(@FUNCTIONS@ + 31) / 32];
};
static __constant__ struct redproof_schemata_device_t redproof_schemata_device;
static __device__ unsigned long long redproof_schemata_device_ticks, redproof_schemata_device_hits;
static __device__ unsigned long long redproof_schemata_device_entered[@FUNCTIONS@], redproof_schemata_device_ticked[@FUNCTIONS@];

// The threads of a warp that are here together add at once. Memory of the host outlives an error of the device, but is far away: it is told
// everything up to 4096, and then in steps of 1024.
static __device__ __noinline__ __attribute__((unused)) unsigned long long redproof_schemata_device_add(unsigned long long* counter,
                                                                                                    unsigned long long* told) {
  unsigned const together = __activemask();
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (lane + 1 != (unsigned)__ffs((int)together)) return 0;
  unsigned long long const more = (unsigned long long)__popc(together);
  unsigned long long const before = atomicAdd(counter, more);
  unsigned long long const tell = before < 4096 ? more : (((before + more) >> 10) - (before >> 10)) << 10;
  if (told != 0 && tell != 0) atomicAdd_system(told, tell);
  return before + more;
}

static __device__ __noinline__ __attribute__((unused)) void redproof_schemata_device_tick(unsigned function) {
  struct redproof_schemata_echo_t* const echo = redproof_schemata_device.echo;
  if (redproof_schemata_device.active == 0) {
    redproof_schemata_device_add(&redproof_schemata_device_ticked[function], &echo->ticked[function]);
    return;
  }
  if (redproof_schemata_device_add(&redproof_schemata_device_ticks, 0) <= redproof_schemata_device.limit) return;
  atomicExch_system(&echo->hung, 1ULL);
  __threadfence_system();
  __trap();
}

static __device__ __noinline__ __attribute__((unused)) unsigned redproof_schemata_device_enter(unsigned function) {
  struct redproof_schemata_echo_t* const echo = redproof_schemata_device.echo;
  if (redproof_schemata_device.active == 0)
    redproof_schemata_device_add(&redproof_schemata_device_entered[function], &echo->entered[function]);
  else
    redproof_schemata_device_add(&redproof_schemata_device_hits, &echo->hits);
  redproof_schemata_device_tick(function);
  return redproof_schemata_device.active;
}

struct redproof_schemata_unit_t {
  bool (*arm)(const struct redproof_schemata_device_t*, cudaStream_t);
  struct redproof_schemata_unit_t* next;
};
REDPROOF_SCHEMATA_ONCE struct redproof_schemata_unit_t* redproof_schemata_units = 0;
REDPROOF_SCHEMATA_ONCE unsigned char redproof_schemata_arming = 0;
REDPROOF_SCHEMATA_ONCE unsigned long long redproof_schemata_armed = 0;  // a bit a device
REDPROOF_SCHEMATA_ONCE struct redproof_schemata_echo_t* redproof_schemata_seen = 0;  // what devices write to
REDPROOF_SCHEMATA_ONCE struct redproof_schemata_echo_t redproof_schemata_told = {0, 0, 0, 0, 0, 0, 0, {0}, {0}};

REDPROOF_SCHEMATA_ONCE void redproof_schemata_pass_on(unsigned long long* from, unsigned long long* told, unsigned long long* to) {
  unsigned long long const now = *(volatile unsigned long long*)from;
  __atomic_fetch_add(to, now - *told, __ATOMIC_RELAXED);
  *told = now;
}

// Where devices could not be given the echo itself: what they counted so far goes there.
REDPROOF_SCHEMATA_ONCE void redproof_schemata_tell(void*) {
  struct redproof_schemata_echo_t *const seen = redproof_schemata_seen, *const told = &redproof_schemata_told,
                                         *const echo = redproof_schemata_echo;
  if (seen == 0 || seen == echo) return;
  redproof_schemata_pass_on(&seen->hits, &told->hits, &echo->hits);
  redproof_schemata_pass_on(&seen->hung, &told->hung, &echo->hung);
  for (unsigned i = 0; i < @FUNCTIONS@; ++i) {
    redproof_schemata_pass_on(&seen->entered[i], &told->entered[i], &echo->entered[i]);
    redproof_schemata_pass_on(&seen->ticked[i], &told->ticked[i], &echo->ticked[i]);
  }
}

// The kernel may refuse to pin a file of a disk; memory of our own it does not.
REDPROOF_SCHEMATA_ONCE bool redproof_schemata_share(void) {
  unsigned const flags = cudaHostRegisterMapped | cudaHostRegisterPortable;
  if (redproof_schemata_seen != 0) return true;
  if (cudaHostRegister(redproof_schemata_echo, sizeof(struct redproof_schemata_echo_t), flags) == cudaSuccess) {
    redproof_schemata_seen = redproof_schemata_echo;
    return true;
  }
  cudaGetLastError();
  void* const memory = redproof_schemata_mmap(0, sizeof(struct redproof_schemata_echo_t), 3, 0x22, -1, 0);
  if (memory == (void*)-1 || cudaHostRegister(memory, sizeof(struct redproof_schemata_echo_t), flags) != cudaSuccess) return false;
  redproof_schemata_seen = (struct redproof_schemata_echo_t*)memory;
  redproof_schemata_at_exit(redproof_schemata_tell, 0, 0);
  return true;
}

REDPROOF_SCHEMATA_ONCE bool redproof_schemata_set(void) {
  struct redproof_schemata_device_t orders = {redproof_schemata_active, redproof_schemata_echo->limit, 0, {0}};
  for (unsigned i = 0; i < @FUNCTIONS@; ++i)
    if (redproof_schemata_gate[i] != 0) orders.gate[i / 32] |= 1u << i % 32;
  cudaStream_t stream = 0;
  if (!redproof_schemata_share() || cudaHostGetDevicePointer((void**)&orders.echo, redproof_schemata_seen, 0) != cudaSuccess) return false;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return false;
  bool set = true;
  for (struct redproof_schemata_unit_t* unit = redproof_schemata_units; unit != 0; unit = unit->next)
    set = unit->arm(&orders, stream) && set;
  set = cudaStreamSynchronize(stream) == cudaSuccess && set;
  cudaStreamDestroy(stream);
  return set;
}

// A stream may be under capture, and then only what is relaxed may be done.
REDPROOF_SCHEMATA_ONCE __attribute__((noinline, cold)) void redproof_schemata_arm_all(void) {
  while (__atomic_test_and_set(&redproof_schemata_arming, __ATOMIC_ACQUIRE)) {
  }
  int device = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  if (cudaGetDevice(&device) == cudaSuccess && device < 64 && (redproof_schemata_armed >> device & 1) == 0) {
    cudaThreadExchangeStreamCaptureMode(&mode);
    if (redproof_schemata_set())
      redproof_schemata_armed |= 1ULL << device;
    else
      cudaGetLastError();
    cudaThreadExchangeStreamCaptureMode(&mode);
  }
  redproof_schemata_tell(0);
  __atomic_clear(&redproof_schemata_arming, __ATOMIC_RELEASE);
}

static inline __host__ __device__ void redproof_schemata_arm() {
#ifndef __CUDA_ARCH__
  if (__builtin_expect(redproof_schemata_wants_device != 0, 0)) redproof_schemata_arm_all();
#endif
}

static bool redproof_schemata_arm_unit(const struct redproof_schemata_device_t* orders, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(redproof_schemata_device, orders, sizeof *orders, 0, cudaMemcpyHostToDevice, stream) == cudaSuccess;
}
static struct redproof_schemata_unit_t redproof_schemata_unit = {redproof_schemata_arm_unit, 0};
static void __attribute__((constructor(101), used)) redproof_schemata_add_unit(void) {
  redproof_schemata_unit.next = redproof_schemata_units;
  redproof_schemata_units = &redproof_schemata_unit;
}
#endif
)runtime";

}  // namespace redproof::mutants
