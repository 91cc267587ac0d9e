// The checking side failed (a full disk, no process): nothing is said of the subject, and the gate is broken, never red.
#pragma once
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace redproof::properties {

struct CannotCheck : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Of a file that did not take what was written to it; errno says why.
inline CannotCheck cannot_write(const std::string& file) { return CannotCheck(file + ": cannot be written: " + std::strerror(errno)); }

}  // namespace redproof::properties
