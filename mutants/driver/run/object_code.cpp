#include "mutants/driver/run/object_code.h"

#include <algorithm>
#include <array>

#include "gates/runner/atomic_file.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// They answer from elsewhere, and write where a confined process may not.
bool is_launcher(const std::string& word) {
  static constexpr std::array<std::string_view, 4> launchers = {"ccache", "sccache", "distcc", "icecc"};
  return std::find(launchers.begin(), launchers.end(), fs::path(word).filename().string()) != launchers.end();
}

bool has_output(std::string_view word) { return word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ"; }

bool is_output(std::string_view word) {
  return word == "-c" || word == "-MD" || word == "-MMD" || word == "-M" || word == "-MM" || word == "-MP" || word == "-save-temps";
}

}  // namespace

std::vector<std::string> assembly_command(const CompileCommand& command, const fs::path& copy, const fs::path& assembly) {
  if (command.is_cuda) return {};
  auto const first = std::find_if_not(command.words.begin(), command.words.end(), is_launcher);
  std::vector<std::string> words{"env", "-C", command.directory.string()};
  bool names_source = false;
  for (auto word = first; word != command.words.end(); ++word) {
    if (has_output(*word)) {
      if (++word == command.words.end()) break;
    } else if (word != first && fs::weakly_canonical(command.directory / *word) == command.file) {
      names_source = true;
      words.push_back(copy.string());
    } else if (!is_output(*word)) {
      words.push_back(*word);
    }
  }
  if (!names_source) return {};
  // Quoted includes are looked for beside the copy first, where there is nothing.
  for (const std::string& more : {std::string("-iquote"), command.file.parent_path().string(),
                                  "-fmacro-prefix-map=" + copy.string() + "=" + command.file.filename().string(), std::string("-w"),
                                  std::string("-g0"), std::string("-S"), std::string("-o"), assembly.string()})
    words.push_back(more);
  return words;
}

ObjectCode::ObjectCode(const fs::path& compile_commands, Worker& worker)
    : database_(CompileDatabase::read(compile_commands)), worker_(worker) {}

std::string ObjectCode::hash_of(const std::string& path, const std::string& text, const fs::path& folder) {
  fs::path const source = fs::weakly_canonical(worker_.tree() / path);
  fs::path const copy = folder / source.filename(), assembly = folder / "assembly.s";
  fs::create_directories(folder);
  std::string hashes;
  for (const CompileCommand& command : database_.commands()) {
    if (command.file != source) continue;
    auto const argv = assembly_command(command, copy, assembly);
    if (argv.empty()) return {};
    gates::write_file_atomically(copy, text);
    auto const process = worker_.run_command(argv);
    if (!process.ended_by_itself() || process.exit_code != 0) return {};
    hashes += sha256_of_file(assembly);
  }
  fs::remove_all(folder);
  return hashes.empty() ? hashes : sha256(hashes);
}

ObjectCode::Pair ObjectCode::of(const MutatedFile& file, const fs::path& folder) {
  std::unique_lock guard(mutex_);
  auto const known = pristine_.find(file.path);
  std::string before = known == pristine_.end() ? std::string() : known->second;
  guard.unlock();
  if (known == pristine_.end()) {
    before = hash_of(file.path, file.before, folder);
    guard.lock();
    pristine_.emplace(file.path, before);
    guard.unlock();
  }
  if (before.empty()) return {};
  return {before, hash_of(file.path, file.after, folder)};
}

}  // namespace redproof::mutants
