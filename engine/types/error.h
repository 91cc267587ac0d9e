#pragma once
#include <stdexcept>

namespace redproof::engine {

// An input that the engine refuses. The message is one line that names the file and the field; programs print it and exit 1.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace redproof::engine
