#include "tests/mutants/nvcc.h"

#include "gates/runner/process.h"

namespace redproof::mutants::test {

std::string nvcc() {
  gates::ProcessSpec spec;
  spec.argv = {REDPROOF_ROOT "/scripts/find-nvcc"};
  auto const found = gates::run_process(spec);
  return found.exit_code == 0 ? found.output.substr(0, found.output.find('\n')) : std::string();
}

}  // namespace redproof::mutants::test
