#include "mutants/driver/cache/command_text.h"

#include <fmt/format.h>

#include "gates/runner/safe_path.h"
#include "mutants/driver/cache/elf_file.h"
#include "mutants/driver/cache/toolchain.h"

namespace redproof::mutants {

namespace fs = std::filesystem;

CommandTexts::CommandTexts(Worker& worker) : worker_(worker), tree_(fs::weakly_canonical(worker.tree())) {}

// A wrapper (env, timeout, a shell) runs or reads what its other words name.
std::string CommandTexts::of(const std::vector<std::string>& argv) {
  std::string text = text_of(argv.front());
  for (std::size_t i = 1; i < argv.size(); ++i) {
    std::error_code failed;
    bool const is_file = fs::is_regular_file(tree_ / argv[i], failed);
    std::string const name = is_file ? (tree_ / argv[i]).string() : argv[i];
    if (!executed(name, tree_).empty()) text += text_of(name);
  }
  return text;
}

std::string CommandTexts::text_of(const std::string& name) {
  std::string text = program_text(name, tree_);
  for (const Executed& one : executed(name, tree_)) text += libraries_of(one.file);
  return text;
}

const std::string& CommandTexts::libraries_of(const fs::path& program) {
  auto const [place, is_new] = libraries_.try_emplace(program);
  if (is_new) place->second = libraries_anew(program);
  return place->second;
}

std::string CommandTexts::libraries_anew(const fs::path& program) {
  if (!loads_libraries(program)) return {};
  auto const told = worker_.run_command({"ldd", program.string()});
  if (told.ended_by_itself() && told.exit_code == 0) return library_lines(told.output, tree_);
  bool const inside = gates::is_at_or_below(program, tree_);
  if (why_not_.empty())
    why_not_ = fmt::format("ldd does not tell the libraries of {}", (inside ? program.lexically_relative(tree_) : program).string());
  return {};
}

}  // namespace redproof::mutants
