#include "gates/runner/needs.h"

#include <unistd.h>

#include <cstdlib>

#include "gates/runner/command.h"

namespace redproof::gates {

namespace {

// In the folder of the programs, or anywhere in PATH.
bool has_program(const std::string& name, const std::filesystem::path& bin) {
  if (access((bin / name).c_str(), X_OK) == 0) return true;
  ProcessSpec spec;
  spec.argv = {name};
  return !resolve_command(spec).program.empty();
}

bool is_met(const std::string& need, const std::filesystem::path& root, const std::filesystem::path& bin) {
  auto const colon = need.find(':');
  auto const kind = need.substr(0, colon);
  auto const name = need.substr(colon + 1);
  if (kind == "file") return std::filesystem::exists(root / name);
  if (kind == "program") return has_program(name, bin);
  char const* const value = std::getenv(name.c_str());
  return value != nullptr && *value != '\0';
}

}  // namespace

std::optional<std::string> missing_need(const Gate& gate, const std::filesystem::path& root, const std::filesystem::path& bin) {
  for (auto const& need : gate.needs)
    if (!is_met(need, root, bin)) return need;
  return std::nullopt;
}

}  // namespace redproof::gates
