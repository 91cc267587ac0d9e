#pragma once
#include <stdexcept>

namespace redproof::gates {

// An input or a configuration that is refused. The message is one line that names the file and the field; programs print it and exit 1.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace redproof::gates
