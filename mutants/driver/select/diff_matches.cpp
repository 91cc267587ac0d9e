#include <fmt/format.h>

#include "gates/runner/exit_code.h"
#include "gates/runner/printable.h"
#include "gates/runner/safe_path.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/select/diff.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void differ(const std::string& path, const std::string& why) {
  throw DiffError(gates::exit_diff_differs, fmt::format("the diff does not match the tree: {}: {}", gates::printable(path), why));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// A mail, or a checkout with other line ends, may have lost or gained a carriage return: that is no other line.
void check_lines(const FileDiff& file, std::string_view text) {
  auto const lines = lines_of(text);
  for (const NewLine& line : file.lines) {
    if (line.number == 0 || line.number > lines.size()) differ(file.after, fmt::format("has no line {}", line.number));
    if (without_cr(lines[line.number - 1]) != without_cr(line.text)) differ(file.after, fmt::format("line {} is another", line.number));
    if (line.ends_short && (line.number != lines.size() || text.ends_with('\n')))
      differ(file.after, fmt::format("does not end with line {} and without a line break", line.number));
  }
  if (file.created && !file.opaque && lines.size() != file.lines.size())
    differ(file.after, fmt::format("is new with {} lines and has {}", file.lines.size(), lines.size()));
}

void check_file(const FileDiff& file, const fs::path& root) {
  fs::path const path = root / file.after;
  std::error_code failed;
  auto const status = fs::symlink_status(path, failed);
  if (!fs::exists(status)) differ(file.after, "is not there (paths count from the root: git diff --relative)");
  // Of a link the diff holds the name that it leads to.
  if (fs::is_symlink(status)) return check_lines(file, fs::read_symlink(path).string());
  if (!gates::stays_below(root, path)) differ(file.after, "lies outside the root");
  if (fs::is_directory(status)) return;  // a submodule: its lines name a commit
  if (!fs::is_regular_file(status)) differ(file.after, "is no regular file");
  if (!file.lines.empty() || file.created) check_lines(file, read_file(path));
}

}  // namespace

void check_matches(const Diff& diff, const fs::path& root) {
  std::set<std::string> there;
  for (const FileDiff& file : diff) there.insert(file.after);
  std::error_code failed;
  for (const FileDiff& file : diff) {
    if (!file.after.empty()) check_file(file, root);
    // A file that becomes a link is deleted and made in one diff.
    else if (!there.contains(file.before) && fs::exists(fs::symlink_status(root / file.before, failed)))
      differ(file.before, "is deleted in the diff and still there");
  }
}

}  // namespace redproof::mutants
