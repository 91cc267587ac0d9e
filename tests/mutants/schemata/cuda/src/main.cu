// One gate a run: computes on the device, or for `host_mix` on the host alone, and says what it found.
#include <cstdio>
#include <cstring>
#include <vector>

#include "evidence.h"
#include "kernels.cuh"
#include "tiles.h"

namespace {

constexpr int canary = -77;

// Behind the last element stands a canary that nobody may read or write.
template <typename T>
class OnDevice {
 public:
  explicit OnDevice(std::vector<T> values) : size_(values.size()) {
    values.push_back(static_cast<T>(canary));
    cudaMalloc(&data_, values.size() * sizeof(T));
    cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~OnDevice() { cudaFree(data_); }
  T* data() const { return data_; }
  std::vector<int> read() const {
    std::vector<T> values(size_ + 1);
    cudaMemcpy(values.data(), data_, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return {values.begin(), values.end()};
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

template <typename T>
Found found(const char* law, const OnDevice<T>& out, std::vector<int> truth) {
  truth.push_back(canary);
  cudaError_t const status = cudaDeviceSynchronize();
  if (status != cudaSuccess) std::fprintf(stderr, "%s: %s\n", law, cudaGetErrorString(status));
  if (status != cudaSuccess) return {law, {}, std::move(truth), cudaGetErrorString(status)};
  return {law, out.read(), std::move(truth), {}};
}

std::vector<int> counting(int n) {
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(i + 1);
  return values;
}

Found tile_sums() {
  int const n = 150;
  OnDevice<int> const in(counting(n)), out(std::vector<int>(3, 0));
  launch_tile_sums(in.data(), out.data(), n);
  return found("tile_sums", out, {64 * 65 / 2, 128 * 129 / 2 - 64 * 65 / 2, 150 * 151 / 2 - 128 * 129 / 2});
}

Found rotated() {
  int const n = 37;
  OnDevice<int> const in(counting(n)), out(std::vector<int>(n, 0));
  launch_rotate(in.data(), out.data(), n);
  std::vector<int> truth = counting(n);
  for (int i = 0; i < n; ++i) truth[i] = (i + 1) % n + 1;
  return found("rotated", out, truth);
}

Found drained() {
  int const n = 40;
  OnDevice<unsigned> const left(std::vector<unsigned>(n, 9));
  launch_drain(left.data(), n);
  return found("drained", left, std::vector<int>(n, 0));
}

Found scaled() {
  int const n = 300;
  std::vector<float> values, zeros(n, 0.0f);
  std::vector<int> truth;
  for (int i = 0; i < n; ++i) {
    values.push_back(static_cast<float>(i % 20));
    truth.push_back(i % 20 * 3 > 40 ? 40 : i % 20 * 3);
  }
  OnDevice<float> const in(values), out(zeros);
  scale<float, 3><<<3, 128>>>(in.data(), out.data(), Shape{15, 20});
  return found("scaled", out, truth);
}

__global__ void mix_all(int* out) { out[threadIdx.x] = mix(static_cast<int>(threadIdx.x), 5); }

std::vector<int> mix_truth(int n, int b) {
  std::vector<int> truth;
  for (int i = 0; i < n; ++i) truth.push_back(3 * i + 2 * b);
  return truth;
}

Found device_mix() {
  OnDevice<int> const out(std::vector<int>(50, 0));
  mix_all<<<1, 50>>>(out.data());
  return found("device_mix", out, mix_truth(50, 5));
}

Found foreign_mix() {
  OnDevice<int> const out(std::vector<int>(20, 0));
  launch_foreign(out.data(), 20);
  return found("foreign_mix", out, mix_truth(20, 1));
}

Found host_mix() {
  Found all{"host_mix", {}, mix_truth(50, 5), {}};
  for (int i = 0; i < 50; ++i) all.observed.push_back(mix(i, 5));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  struct Gate {
    const char* name;
    Found (*run)();
  };
  for (Gate const& gate : {Gate{"tile_sums", tile_sums}, Gate{"rotated", rotated}, Gate{"drained", drained}, Gate{"scaled", scaled},
                           Gate{"device_mix", device_mix}, Gate{"foreign_mix", foreign_mix}, Gate{"host_mix", host_mix}})
    if (argc == 2 && std::strcmp(argv[1], gate.name) == 0) return leave_evidence(gate.run());
  std::fprintf(stderr, "prog: one gate's name\n");
  return 1;
}
