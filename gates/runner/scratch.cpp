#include "gates/runner/scratch.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "gates/runner/refusal.h"

namespace redproof::gates {

Scratch::Scratch(const std::filesystem::path& parent) {
  std::error_code error;
  auto const base = parent.empty() ? std::filesystem::temp_directory_path(error) : parent;
  std::string name = (base / "redproof-gate-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr)
    throw Refusal(fmt::format("{}: no temporary folder can be made: {}", base.string(), std::strerror(errno)));
  path_ = std::filesystem::canonical(name);
}

Scratch::~Scratch() {
  std::error_code error;
  // A process may have taken its own rights away: give them back first.
  for (auto entry = std::filesystem::recursive_directory_iterator(path_, std::filesystem::directory_options::skip_permission_denied, error);
       !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error))
    if (entry->is_directory(error) && !entry->is_symlink(error))
      std::filesystem::permissions(entry->path(), std::filesystem::perms::owner_all, std::filesystem::perm_options::add, error);
  std::filesystem::remove_all(path_, error);
}

}  // namespace redproof::gates
