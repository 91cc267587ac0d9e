#include "mutants/driver/lab/open_files.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include "gates/runner/refusal.h"

namespace redproof::mutants {

void require_open_files(unsigned workers) {
  rlim_t const needed = 32 + 16 * rlim_t{workers};  // streams, locks, logs and libclang's; pipes and folders of each worker's process
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
  throw gates::Refusal(
      fmt::format("{} open files are too few for {} workers (ulimit -n): {} are needed, or fewer --jobs", limit.rlim_cur, workers, needed));
}

}  // namespace redproof::mutants
