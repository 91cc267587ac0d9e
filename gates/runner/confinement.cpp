#include "gates/runner/confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "gates/runner/refusal.h"

namespace redproof::gates {

namespace {

// Newer than the header of Debian 12: LANDLOCK_ACCESS_FS_TRUNCATE, since version 3.
constexpr std::uint64_t access_truncate = 1ull << 14;

constexpr std::uint64_t access_to_files = LANDLOCK_ACCESS_FS_WRITE_FILE | access_truncate;
constexpr std::uint64_t access_to_folders = LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                            LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                                            LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |
                                            LANDLOCK_ACCESS_FS_REFER;

// What this kernel's version can restrict.
std::uint64_t restrictable(int version) {
  std::uint64_t access = access_to_files | access_to_folders;
  if (version < 2) access &= ~std::uint64_t{LANDLOCK_ACCESS_FS_REFER};
  if (version < 3) access &= ~access_truncate;
  return access;
}

// False with errno where the path cannot be opened or the rule is refused.
bool allow(int ruleset, const std::filesystem::path& path, std::uint64_t access) {
  Descriptor const parent(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat facts = {};
  if (!parent.open() || fstat(parent.get(), &facts) != 0) return false;
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = S_ISDIR(facts.st_mode) ? access : access & access_to_files;
  rule.parent_fd = parent.get();
  return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

}  // namespace

int landlock_version() {
  long const version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

Descriptor write_only_below(const std::vector<std::filesystem::path>& roots) {
  int const version = landlock_version();
  if (version == 0) return Descriptor();
  landlock_ruleset_attr attributes = {};
  attributes.handled_access_fs = restrictable(version);
  Descriptor ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
  if (!ruleset.open()) return ruleset;
  for (auto const& root : roots) {
    if (!allow(ruleset.get(), root, attributes.handled_access_fs))
      throw Refusal(fmt::format("{}: cannot be made writable: {}", root.string(), std::strerror(errno)));
  }
  // Programs write to these whatever they do; one that is missing is no loss.
  for (char const* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"}) allow(ruleset.get(), device, attributes.handled_access_fs);
  return ruleset;
}

bool enter_confinement(int ruleset) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
}

}  // namespace redproof::gates
