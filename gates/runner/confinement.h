// Landlock: a process that may write only below given folders.
#pragma once
#include <filesystem>
#include <vector>

#include "gates/runner/descriptor.h"

namespace redproof::gates {

// 0 where this kernel has no Landlock.
int landlock_version();
// The ruleset that a child enters before it executes. Closed where this kernel has none. Throws Refusal for a root that cannot be opened.
Descriptor write_only_below(const std::vector<std::filesystem::path>& roots);
// In the child: async-signal-safe. False where the kernel refuses.
bool enter_confinement(int ruleset);

}  // namespace redproof::gates
