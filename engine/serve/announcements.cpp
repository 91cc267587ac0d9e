#include "engine/serve/announcements.h"

namespace redproof::engine {

EngineOptions keeping(EngineOptions options, std::vector<std::string>& lines) {
  options.announce = [&lines](const std::string& line) { lines.push_back(line); };
  return options;
}

void announce(const EngineOptions& options, const std::vector<std::string>& lines) {
  if (!options.announce) return;
  for (const std::string& line : lines) options.announce(line);
}

}  // namespace redproof::engine
