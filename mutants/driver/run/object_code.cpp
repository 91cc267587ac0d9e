#include "mutants/driver/run/object_code.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

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

bool is_one_of(std::initializer_list<std::string_view> names, std::string_view word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

// What a command says of its outputs: together with the word behind it, or alone. Of nvcc the words about debug information, too, which
// names places; those that change its code (-G, -dc) stay.
bool has_output(std::string_view word) { return is_one_of({"-o", "-MF", "-MT", "-MQ", "--output-file", "--dependency-output"}, word); }

bool is_output(const CompileCommand& command, std::string_view word) {
  if (is_one_of({"-c", "-MD", "-MMD", "-M", "-MM", "-MP", "-save-temps"}, word)) return true;
  return command.is_cuda && is_one_of({"--compile", "-g", "--debug", "-lineinfo", "--generate-line-info", "-keep", "--keep"}, word);
}

std::vector<std::string> assembly_words(const CompileCommand& command, const fs::path& copy, const fs::path& code) {
  return {"-iquote",
          command.file.parent_path().string(),
          "-fmacro-prefix-map=" + copy.string() + "=" + command.file.filename().string(),
          "-w",
          "-g0",
          "-S",
          "-o",
          code.string()};
}

// nvcc splits at commas what it hands to the compiler of the host.
std::vector<std::string> object_words(const CompileCommand& command, const fs::path& copy, const fs::path& code) {
  std::string const folder = command.file.parent_path().string();
  std::string const map = copy.string() + "=" + command.file.filename().string();
  if ((folder + map).find(',') != std::string::npos) return {};
  bool const relocatable = std::any_of(command.words.begin(), command.words.end(),
                                       [](const std::string& word) { return is_one_of({"-dc", "--device-c"}, word); });
  std::vector<std::string> words{"-Xcompiler", "-iquote," + folder + ",-fmacro-prefix-map=" + map + ",-g0", "-w"};
  if (!relocatable) words.emplace_back("-c");
  words.insert(words.end(), {"-o", code.string()});
  return words;
}

}  // namespace

std::vector<std::string> code_command(const CompileCommand& command, const fs::path& copy, const fs::path& code) {
  auto const first = std::find_if_not(command.words.begin(), command.words.end(), is_launcher);
  std::vector<std::string> words{"env", "-C", command.directory.string()};
  bool names_source = false;
  for (auto word = first; word != command.words.end(); ++word) {
    if (has_output(*word)) {
      if (++word == command.words.end()) break;
    } else if (word != first && fs::weakly_canonical(command.directory / *word) == command.file) {
      names_source = true;
      words.push_back(copy.string());
    } else if (!is_output(command, *word)) {
      words.push_back(*word);
    }
  }
  // Quoted includes are looked for beside the copy first, where there is nothing.
  auto const more = command.is_cuda ? object_words(command, copy, code) : assembly_words(command, copy, code);
  if (!names_source || more.empty()) return {};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

ObjectCode::ObjectCode(const fs::path& compile_commands, Worker& worker)
    : database_(CompileDatabase::read(compile_commands)), worker_(worker) {}

std::string ObjectCode::hash_of(const std::string& path, const std::string& text, const fs::path& folder) {
  fs::path const source = fs::weakly_canonical(worker_.tree() / path);
  fs::path const copy = folder / source.filename(), code = folder / "code.o";
  fs::create_directories(folder);
  std::string hashes;
  for (const CompileCommand& command : database_.commands()) {
    if (command.file != source) continue;
    auto const argv = code_command(command, copy, code);
    if (argv.empty()) return {};
    gates::write_file_atomically(copy, text);
    auto const process = worker_.run_command(argv);
    if (!process.ended_by_itself() || process.exit_code != 0) return {};
    hashes += command.is_cuda ? sha256_of_program(code) : sha256_of_file(code);
  }
  fs::remove_all(folder);
  return hashes.empty() ? hashes : sha256(hashes);
}

ObjectCode::Pair ObjectCode::of(const MutatedFile& file, const fs::path& folder) {
  // nvcc makes names of what a source keeps for itself out of the source's path.
  auto const key = std::make_pair(file.path, folder);
  std::unique_lock guard(mutex_);
  auto const known = pristine_.find(key);
  std::string before = known == pristine_.end() ? std::string() : known->second;
  guard.unlock();
  if (known == pristine_.end()) {
    before = hash_of(file.path, file.before, folder);
    guard.lock();
    pristine_.emplace(key, before);
    guard.unlock();
  }
  if (before.empty()) return {};
  return {before, hash_of(file.path, file.after, folder)};
}

}  // namespace redproof::mutants
