// The gate of the overhead: right answers, and how long each hot place takes at its best of many rounds.
#include "hot.h"

#include <chrono>
#include <cstdio>
#include <vector>

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  std::vector<float> a(8192, 0.5f), b(8192, 2.0f);
  double loop = 1, call = 1;
  float sum = 0;
  std::uint32_t state = 1;
  for (int round = 0; round < 200; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i) sum = sum_of_products(a.data(), b.data(), a.size());
    if (double const seconds = seconds_since(start); seconds < loop) loop = seconds;
    start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20000; ++i) state = next(state);
    if (double const seconds = seconds_since(start); seconds < call) call = seconds;
  }
  std::printf("loop %.9f\ncall %.9f\n", loop, call);
  return sum == 8192.0f && state == 1597415905u ? 0 : 2;
}
