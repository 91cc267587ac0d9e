// The first and the last part of a stream of any length.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace redproof::gates {

class OutputWindow {
 public:
  explicit OutputWindow(std::uint64_t limit_bytes);
  void add(std::string_view part);
  std::uint64_t total_bytes() const { return total_; }
  bool truncated() const { return total_ > limit_; }
  // At most the limit, and where something was left out a line between the halves that says how much.
  std::string text() const;

 private:
  std::uint64_t limit_;
  std::uint64_t total_ = 0;
  std::string head_;  // the first (limit + 1) / 2 bytes
  std::string tail_;  // up to twice limit / 2 bytes: cut back when full
};

}  // namespace redproof::gates
