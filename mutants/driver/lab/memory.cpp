#include "mutants/driver/lab/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t worker_bytes = 1ull << 30;
constexpr unsigned most_workers = 256;

// `max` is no number, and no limit.
void lower(const fs::path& file, std::optional<std::uint64_t>& limit) {
  std::uint64_t bytes = 0;
  if (std::ifstream(file) >> bytes) limit = std::min(limit.value_or(bytes), bytes);
}

// Of the group and of all above it. In a container the path may be the host's: then the group is what is mounted.
void lower_up(const fs::path& mount, fs::path group, const char* name, std::optional<std::uint64_t>& limit) {
  for (; !group.empty(); group = group.parent_path()) lower(mount / group / name, limit);
  lower(mount / name, limit);
}

}  // namespace

std::optional<std::uint64_t> available_memory_bytes(const fs::path& meminfo) {
  std::ifstream stream(meminfo);
  std::string name;
  for (std::uint64_t kib = 0; stream >> name >> kib; std::getline(stream, name))
    if (name == "MemAvailable:") return 1024 * kib;
  return std::nullopt;
}

// Lines: `0::/PATH` (cgroup 2), `5:memory:/PATH` (cgroup 1).
std::optional<std::uint64_t> group_limit_bytes(const fs::path& own, const fs::path& mount) {
  std::optional<std::uint64_t> limit;
  std::ifstream groups(own);
  for (std::string line; std::getline(groups, line);) {
    auto const path = [&](std::size_t from) { return fs::path(line.substr(from)).relative_path(); };
    if (line.starts_with("0::")) lower_up(mount, path(3), "memory.max", limit);
    auto const memory = line.find(":memory:");
    if (memory != std::string::npos) lower_up(mount / "memory", path(memory + 8), "memory.limit_in_bytes", limit);
  }
  return limit;
}

std::uint64_t memory_bytes() {
  auto const pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  auto const page_bytes = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  return std::min(pages * page_bytes, group_limit_bytes().value_or(UINT64_MAX));
}

std::uint64_t memory_share_bytes(unsigned workers) { return memory_bytes() / 4 * 3 / workers; }

unsigned workers_for(unsigned cores, std::uint64_t memory) {
  auto const fitting = static_cast<unsigned>(std::min<std::uint64_t>(memory / worker_bytes, most_workers));
  return std::clamp(std::min(cores, fitting), 1U, most_workers);
}

}  // namespace redproof::mutants
