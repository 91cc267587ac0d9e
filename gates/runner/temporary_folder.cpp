#include "gates/runner/temporary_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"

namespace redproof::gates {

std::filesystem::path temporary_folder() {
  char const* const variable = std::getenv("TMPDIR");
  std::filesystem::path const folder = variable != nullptr && *variable != '\0' ? variable : "/tmp";
  // The slash asks for a folder.
  if (access((folder / "").c_str(), W_OK | X_OK) == 0) return folder;
  throw Refusal(fmt::format("TMPDIR: {}: {}; set it to a folder that can be written", printable(folder.string()), std::strerror(errno)));
}

}  // namespace redproof::gates
