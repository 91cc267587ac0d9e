#include "gates/runner/output_window.h"

#include <fmt/format.h>

#include <algorithm>

namespace redproof::gates {

OutputWindow::OutputWindow(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

void OutputWindow::add(std::string_view part) {
  total_ += part.size();
  std::uint64_t const head_limit = (limit_ + 1) / 2;
  std::uint64_t const tail_limit = limit_ / 2;
  auto const first = std::min<std::uint64_t>(part.size(), head_limit - head_.size());
  head_ += part.substr(0, first);
  tail_ += part.substr(first);
  if (tail_.size() > 2 * tail_limit) tail_.erase(0, tail_.size() - tail_limit);
}

std::string OutputWindow::text() const {
  if (!truncated()) return head_ + tail_;
  std::uint64_t const kept = std::min<std::uint64_t>(tail_.size(), limit_ / 2);
  return head_ + fmt::format("\n[... {} bytes left out ...]\n", total_ - head_.size() - kept) + tail_.substr(tail_.size() - kept);
}

}  // namespace redproof::gates
