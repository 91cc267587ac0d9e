// The checking side failed (a full disk, no process): nothing is said of the subject, and the gate is broken, never red.
#pragma once
#include <stdexcept>

namespace redproof::properties {

struct CannotCheck : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace redproof::properties
