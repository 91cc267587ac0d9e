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

// Each is read once a process.
std::string hash_of(const fs::path& file) {
  static std::mutex mutex;
  static std::map<fs::path, std::string> known;
  std::lock_guard const guard(mutex);
  auto const [place, is_new] = known.try_emplace(file);
  if (is_new) place->second = sha256_of_file(file);
  return place->second;
}

// The file that a command's first word stands for; empty where there is none.
fs::path found(const std::string& name) {
  gates::ProcessSpec spec;
  spec.argv = {name};
  std::error_code failed;
  fs::path const path = fs::canonical(gates::resolve_command(spec).program, failed);
  return !failed && fs::is_regular_file(path, failed) ? path : fs::path();
}

// The words behind #!, or none.
std::vector<std::string> interpreter_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  if (stream.get() != '#' || stream.get() != '!' || !std::getline(stream, line)) return {};
  std::istringstream words(line);
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word);
  return list;
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
  for (const std::string& file : files) text += fmt::format("{} {}\n", fs::path(file).filename().string(), hash_of(file));
  return sha256(text);
}

}  // namespace

std::string judge_sha256() {
  static std::string const hash = hash_of_loaded();
  return hash;
}

std::string program_text(const std::string& name) {
  fs::path const path = found(name);
  if (path.empty()) return name + "\n";
  std::string text = fmt::format("{} {}\n", path.filename().string(), hash_of(path));
  auto const words = interpreter_of(path);
  for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), 2); ++i)
    if (fs::path const interpreter = found(words[i]); !interpreter.empty())
      text += fmt::format("  {} {}\n", words[i], hash_of(interpreter));
  return text;
}

std::string library_lines(const std::string& ldd_output, const fs::path& tree) {
  std::set<std::string> lines;
  std::istringstream words(ldd_output);
  for (std::string word; words >> word;) {
    std::error_code failed;
    if (!word.starts_with('/') || !fs::is_regular_file(word, failed)) continue;
    fs::path const file = fs::canonical(word, failed);
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
