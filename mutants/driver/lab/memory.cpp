#include "mutants/driver/lab/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace redproof::mutants {

std::optional<std::uint64_t> available_memory_bytes(const std::filesystem::path& meminfo) {
  std::ifstream stream(meminfo);
  std::string name;
  for (std::uint64_t kib = 0; stream >> name >> kib; std::getline(stream, name))
    if (name == "MemAvailable:") return 1024 * kib;
  return std::nullopt;
}

std::uint64_t memory_share_bytes(unsigned workers) {
  auto const pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  auto const page_bytes = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  return pages * page_bytes / 4 * 3 / workers;
}

}  // namespace redproof::mutants
