#include "gates/runner/oom_kills.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace redproof::gates {

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Lines of /proc/self/cgroup: `0::/PATH` (cgroup 2), `5:memory:/PATH` (cgroup 1). In a container the path may be the host's: then the group
// is what is mounted.
std::filesystem::path events_file() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    bool const second = line.starts_with("0::");
    auto const memory = line.find(":memory:");
    if (!second && memory == std::string::npos) continue;
    std::filesystem::path const mount = second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    std::string const name = second ? "memory.events" : "memory.oom_control";
    auto const own = mount / std::filesystem::path(line.substr(second ? 3 : memory + 8)).relative_path() / name;
    std::error_code error;
    for (auto const& file : {own, mount / name})
      if (std::filesystem::exists(file, error)) return file;
  }
  return {};
}

}  // namespace

std::uint64_t oom_kills_in(std::string_view events) {
  constexpr std::string_view key = "oom_kill ";
  while (!events.empty()) {
    auto const line = events.substr(0, events.find('\n'));
    events.remove_prefix(line.size() == events.size() ? line.size() : line.size() + 1);
    if (!line.starts_with(key)) continue;
    std::uint64_t count = 0;
    std::from_chars(line.data() + key.size(), line.data() + line.size(), count);
    return count;
  }
  return 0;
}

std::uint64_t oom_kills() { return oom_kills_in(text_of(events_file())); }

}  // namespace redproof::gates
