#include "mutants/driver/select/git_diff.h"

#include <fmt/format.h>

#include <algorithm>

#include "gates/runner/printable.h"
#include "gates/runner/process.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string git(const fs::path& root, std::vector<std::string> words, const std::string& what) {
  gates::ProcessSpec spec;
  // Settings of the user do not change what is read.
  spec.argv = {"git", "-c", "core.quotePath=true", "-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.cwd = root;
  spec.set_env = {{"GIT_OPTIONAL_LOCKS", "0"}, {"LC_ALL", "C"}};
  spec.unset_env = {"GIT_DIR",           "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
                    "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS"};
  spec.output_limit_bytes = 256u << 20;
  auto const result = gates::run_process(spec);
  if (!result.start_error.empty()) throw gates::Refusal("--since: git: " + result.start_error);
  if (result.exit_code != 0)
    throw gates::Refusal("--since: " + what + (result.output.empty() ? "" : ": ") + gates::printable(first_line(result.output), 200));
  if (result.truncated) throw gates::Refusal("--since: " + what + ": more than 256 MiB");
  return result.output;
}

// New files that nobody has added: all of their lines are new.
void add_untracked(const std::string& names, Diff& diff) {
  for (std::size_t at = 0; at < names.size();) {
    auto const end = std::min(names.find('\0', at), names.size());
    FileDiff file;
    file.after = names.substr(at, end - at);
    file.opaque = true;
    file.touched = {{1, SIZE_MAX, false}};
    if (!file.after.empty()) diff.push_back(file);
    at = end + 1;
  }
}

}  // namespace

Diff diff_since(const fs::path& root, const std::string& reference) {
  if (reference.empty() || reference.starts_with('-'))
    throw gates::Refusal("--since: " + gates::printable(reference) + ": is no name of a commit");
  std::string const named = first_line(git(root, {"rev-parse", "--verify", "--quiet", reference + "^{commit}"},
                                           gates::printable(reference) + " is no commit that git knows here"));
  std::string const base = first_line(git(root, {"merge-base", named, "HEAD"}, "no commit is common to " + reference + " and HEAD"));
  Diff diff =
      parse_diff(git(root, {"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--relative", "--find-renames", base, "--", "."},
                     "the diff of " + base));
  add_untracked(git(root, {"ls-files", "-z", "--others", "--exclude-standard"}, "new files"), diff);
  return diff;
}

}  // namespace redproof::mutants
