#include "mutants/driver/cache/toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "gates/runner/command.h"
#include "gates/runner/safe_path.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// Each is read once a process, unless it changes.
std::string hash_of(const fs::path& file) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  std::error_code failed;
  auto const state =
      fmt::format("{} {} {}", file.string(), fs::file_size(file, failed), fs::last_write_time(file, failed).time_since_epoch().count());
  std::lock_guard const guard(mutex);
  auto const [place, is_new] = known.try_emplace(state);
  // What is that large is no program of nvcc, which alone writes process numbers into what it makes.
  constexpr std::uintmax_t largest_program = 256u << 20;
  if (is_new) place->second = fs::file_size(file, failed) > largest_program ? sha256_of_file(file) : sha256_of_program(file);
  return place->second;
}

// The file that a command's first word stands for; empty where there is none.
fs::path found(const std::string& name, const fs::path& folder) {
  gates::ProcessSpec spec;
  spec.argv = {name};
  spec.cwd = folder;
  std::error_code failed;
  fs::path const path = fs::canonical(folder / gates::resolve_command(spec).program, failed);
  return !failed && fs::is_regular_file(path, failed) ? path : fs::path();
}

// The programs that the words behind #! name: the interpreter, and what `env` looks up; or none.
std::vector<std::string> interpreters_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  if (stream.get() != '#' || stream.get() != '!' || !std::getline(stream, line)) return {};
  std::istringstream words(line);
  std::vector<std::string> list(1);
  if (!(words >> list.front())) return {};
  if (fs::path(list.front()).filename() != "env") return list;
  for (std::string word; words >> word;)
    if (!word.starts_with('-') && word.find('=') == std::string::npos) {
      list.push_back(word);
      break;
    }
  return list;
}

void add_executed(const std::string& name, const fs::path& folder, std::vector<Executed>& list) {
  constexpr std::size_t deepest = 16;  // an interpreter may be a script itself; Linux follows four
  fs::path const file = found(name, folder);
  if (file.empty() || list.size() == deepest) return;
  list.push_back({name, file});
  for (const std::string& interpreter : interpreters_of(file)) add_executed(interpreter, folder, list);
}

std::string hash_of_loaded() {
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> files;
  for (std::string line; std::getline(maps, line);) {
    auto const path = line.find('/');
    // addresses rwxp offset device inode path
    bool const is_run = line.substr(0, line.find('/')).find("x") != std::string::npos;
    if (path != std::string::npos && is_run) files.insert(line.substr(path));
  }
  files.insert(fs::canonical("/proc/self/exe").string());
  std::string text;
  for (const std::string& file : files) text += fmt::format("{} {}\n", fs::path(file).filename().string(), sha256_of_file(file));
  return sha256(text);
}

}  // namespace

std::string judge_sha256() {
  static std::string const hash = hash_of_loaded();
  return hash;
}

std::vector<Executed> executed(const std::string& name, const fs::path& folder) {
  std::vector<Executed> list;
  add_executed(name, folder, list);
  return list;
}

std::string program_text(const std::string& name, const fs::path& folder) {
  auto const list = executed(name, folder);
  if (list.empty()) return name + "\n";
  std::string text = fmt::format("{} {}\n", list.front().file.filename().string(), hash_of(list.front().file));
  for (std::size_t i = 1; i < list.size(); ++i) text += fmt::format("  {} {}\n", list[i].word, hash_of(list[i].file));
  return text;
}

std::string library_lines(const std::string& ldd_output, const fs::path& tree) {
  std::set<std::string> lines;
  std::istringstream words(ldd_output);
  for (std::string word; words >> word;) {
    std::error_code failed;
    // One that is linked by a path may be told relative to where `ldd` ran.
    if (word.find('/') == std::string::npos || !fs::is_regular_file(tree / word, failed)) continue;
    fs::path const file = fs::canonical(tree / word, failed);
    bool const inside = gates::is_at_or_below(file, tree);
    lines.insert(fmt::format("{} {}\n", inside ? file.lexically_relative(tree).string() : word, hash_of(file)));
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

std::vector<std::string>::const_iterator compiler_of(const std::vector<std::string>& command) {
  static constexpr std::array<std::string_view, 4> launchers = {"ccache", "sccache", "distcc", "icecc"};
  return std::find_if_not(command.begin(), command.end(), [](const std::string& word) {
    return std::find(launchers.begin(), launchers.end(), fs::path(word).filename().string()) != launchers.end();
  });
}

}  // namespace redproof::mutants
