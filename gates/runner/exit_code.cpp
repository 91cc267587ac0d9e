#include "gates/runner/exit_code.h"

#include <algorithm>
#include <array>

namespace redproof::gates {

namespace {

constexpr std::array loudest_first = {exit_interrupted,  exit_not_restored, exit_internal, exit_refused,      exit_diff_unread,
                                      exit_diff_differs, exit_unproved,     exit_red,      exit_wrong_reason, exit_stale,
                                      exit_no_evidence,  exit_device,       exit_timeout,  exit_threshold,    exit_as_declared};

int known(int code) { return std::find(loudest_first.begin(), loudest_first.end(), code) == loudest_first.end() ? exit_internal : code; }

}  // namespace

int louder(int one, int other) {
  int const first = known(one);
  int const second = known(other);
  return *std::find_if(loudest_first.begin(), loudest_first.end(), [&](int code) { return code == first || code == second; });
}

int loudest(std::span<const int> codes) {
  int most = exit_as_declared;
  for (int const code : codes) most = louder(most, code);
  return most;
}

}  // namespace redproof::gates
