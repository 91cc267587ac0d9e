// Kernels with shared memory of a fixed size, shared memory of the launch's size, and a loop whose rounds the data decide.
#include "kernels.cuh"
#include "tiles.h"

__global__ void tile_sums(const int* in, int* out, int n) {
  constexpr int lanes = 64;
  __shared__ int tile[lanes];
  unsigned const lane = threadIdx.x;
  int const i = static_cast<int>(blockIdx.x * blockDim.x + lane);
  tile[lane] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = lanes / 2; step > 0; step /= 2) {
    if (lane < step) tile[lane] += tile[lane + step];
    __syncthreads();
  }
  if (lane == 0) out[blockIdx.x] = tile[0];
}

__global__ void rotate(const int* in, int* out, int n) {
  extern __shared__ int ring[];
  int const i = static_cast<int>(threadIdx.x);
  ring[i] = in[i];
  __syncthreads();
  out[i] = ring[(i + 1) % n];
}

__global__ void drain(unsigned* left) {
  while (left[threadIdx.x] > 0) --left[threadIdx.x];
}

__global__ void foreign(int* out) { out[threadIdx.x] = mix(static_cast<int>(threadIdx.x), 1); }

void launch_tile_sums(const int* in, int* out, int n) {
  int const blocks = (n + 63) / 64;
  tile_sums<<<blocks, 64>>>(in, out, n);
}

void launch_rotate(const int* in, int* out, int n) {
  if (n > 0) rotate<<<1, n, n * sizeof(int)>>>(in, out, n);
}

void launch_drain(unsigned* left, int n) { drain<<<1, n>>>(left); }
