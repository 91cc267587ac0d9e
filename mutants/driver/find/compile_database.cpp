#include "mutants/driver/find/compile_database.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <set>

#include "gates/runner/json_document.h"
#include "gates/runner/safe_path.h"
#include "mutants/driver/find/cuda.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

bool starts_with_any(std::string_view word, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view prefix) { return word.starts_with(prefix); });
}

// Flags whose value may be the next word.
bool takes_word(std::string_view word) {
  static constexpr std::array<std::string_view, 10> flags = {"-I",         "-D",      "-U",       "-x",       "-isystem",
                                                             "-idirafter", "-iquote", "-include", "-imacros", "--sysroot"};
  return std::find(flags.begin(), flags.end(), word) != flags.end();
}

// CMake's precompiled header: a copy of includes that the source has itself.
bool is_precompiled(std::string_view flag, std::string_view value) { return flag == "-include" && value.ends_with("/cmake_pch.hxx"); }

bool decides_parse(std::string_view word) {
  if (starts_with_any(word, {"-mtune", "-march=native", "-mcpu"})) return false;
  return starts_with_any(word, {"-I",
                                "-D",
                                "-U",
                                "-isystem",
                                "-idirafter",
                                "-iquote",
                                "-std=",
                                "-m",
                                "--sysroot=",
                                "-nostdinc",
                                "-ansi",
                                "-fno-exceptions",
                                "-fno-rtti",
                                "-funsigned-char",
                                "-fsigned-char",
                                "-fshort-enums",
                                "-fopenmp",
                                "-pthread",
                                "-ffp-contract",
                                "--cuda-",
                                "-nocuda"});
}

std::string between(const std::string& line, char open, char close) {
  auto const first = line.find(open);
  auto const last = first == std::string::npos ? first : line.find(close, first + 1);
  return last == std::string::npos ? std::string() : line.substr(first + 1, last - first - 1);
}

std::vector<std::string> quoted_includes(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> names;
  for (std::string line; std::getline(stream, line);) {
    auto const hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#' || line.find("include") == std::string::npos) continue;
    std::string name = between(line, '"', '"');
    if (name.empty()) name = between(line, '<', '>');
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

std::vector<fs::path> include_folders(const CompileCommand& command) {
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < command.flags.size(); ++i) {
    const std::string& flag = command.flags[i];
    if (flag == "-I" || flag == "-iquote" || flag == "-isystem") {
      if (i + 1 < command.flags.size()) folders.push_back(command.directory / command.flags[i + 1]);
    } else if (flag.starts_with("-I")) {
      folders.push_back(command.directory / flag.substr(2));
    }
  }
  return folders;
}

// All that the command's file includes, through files of the project too. `on_file` is told each that is found, and ends the walk with
// true; `on_elsewhere` each name that the command's folders do not hold.
void walk_includes(const CompileCommand& command, const std::function<bool(const fs::path&)>& on_file,
                   const std::function<void(const std::string&)>& on_elsewhere) {
  std::vector<fs::path> const folders = include_folders(command);
  std::set<fs::path> seen{command.file};
  std::vector<fs::path> open{command.file};
  while (!open.empty()) {
    fs::path const file = open.back();
    open.pop_back();
    for (const std::string& name : quoted_includes(file)) {
      std::vector<fs::path> places{file.parent_path() / name};
      for (const fs::path& folder : folders) places.push_back(folder / name);
      auto const found = std::find_if(places.begin(), places.end(), [](const fs::path& place) { return fs::is_regular_file(place); });
      if (found == places.end()) {
        on_elsewhere(name);
        continue;
      }
      fs::path const real = fs::weakly_canonical(*found);
      if (on_file(real)) return;
      // System headers include nothing of the project.
      if (!real.string().starts_with("/usr/") && seen.insert(real).second) open.push_back(real);
    }
  }
}

bool reaches(const CompileCommand& command, const fs::path& header) {
  bool reached = false;
  walk_includes(command, [&](const fs::path& file) { return reached = file == header; }, [](const std::string&) {});
  return reached;
}

// Optimised or not is all that a source can see of the level.
std::string seen_of(const std::string& flag) { return flag == "-O2" || flag == "-O3" ? "-O1" : flag; }

}  // namespace

std::vector<std::string> split_command(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char const c = line[i];
    bool const next_is_special = i + 1 < line.size() && (line[i + 1] == '"' || line[i + 1] == '\\');
    if (c == '\\' && i + 1 < line.size() && (quote == 0 || (quote == '"' && next_is_special))) {
      word += line[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

std::vector<std::string> parse_flags(const std::vector<std::string>& words) {
  std::vector<std::string> flags;
  std::string level;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i + 1 < words.size() && (is_precompiled(words[i], words[i + 1]) || (words[i] == "-x" && words[i + 1] == "cu"))) {
      ++i;
    } else if (takes_word(words[i]) && i + 1 < words.size()) {
      flags.push_back(words[i]);
      flags.push_back(words[++i]);
    } else if (words[i] == "-o" || words[i] == "-MF" || words[i] == "-MT" || words[i] == "-MQ") {
      ++i;
    } else if (words[i].starts_with("-O")) {
      level = seen_of(words[i]);
    } else if (decides_parse(words[i])) {
      flags.push_back(words[i]);
    }
  }
  // At one place, wherever it stood: units whose flags are the same share a prelude.
  if (!level.empty()) flags.push_back(level);
  return flags;
}

std::set<std::string> foreign_headers(const CompileCommand& command) {
  std::set<std::string> names;
  walk_includes(command, [](const fs::path&) { return false; }, [&](const std::string& name) { names.insert(name); });
  return names;
}

CompileDatabase CompileDatabase::read(const fs::path& path) {
  auto const document = gates::JsonDocument::read(path);
  CompileDatabase database;
  for (const gates::JsonValue& entry : document.root().items()) {
    CompileCommand command;
    command.directory = entry.at("directory").text();
    command.file = fs::weakly_canonical(command.directory / entry.at("file").text());
    auto const arguments = entry.find("arguments");
    auto words = arguments ? arguments->texts() : split_command(entry.at("command").text());
    command.words = words;
    command.is_cuda = is_cuda_source(command.file, words);
    if (command.is_cuda) words = with_options_files(words, command.directory);
    command.flags = parse_flags(words);
    if (command.is_cuda)
      for (std::string& flag : cuda_flags(words)) command.flags.push_back(std::move(flag));
    database.commands_.push_back(std::move(command));
  }
  return database;
}

fs::path CompileDatabase::foreign_source(const fs::path& root) const {
  fs::path const real = fs::weakly_canonical(root);
  auto const is_here = [&](const CompileCommand& command) { return gates::is_at_or_below(command.file, real); };
  bool const some_here = std::any_of(commands_.begin(), commands_.end(), is_here);
  return commands_.empty() || some_here ? fs::path() : commands_.front().file;
}

const CompileCommand* CompileDatabase::find(const fs::path& file) const {
  fs::path const real = fs::weakly_canonical(file);
  auto const found = std::find_if(commands_.begin(), commands_.end(), [&](const CompileCommand& command) { return command.file == real; });
  return found == commands_.end() ? nullptr : &*found;
}

const CompileCommand* CompileDatabase::find_through(const fs::path& header) const {
  fs::path const real = fs::weakly_canonical(header);
  if (is_cuda_header(real))
    if (auto const cuda = cuda_through(real); !cuda.empty()) return cuda.front();
  auto const found =
      std::find_if(commands_.begin(), commands_.end(), [&](const CompileCommand& command) { return reaches(command, real); });
  return found == commands_.end() ? nullptr : &*found;
}

std::vector<const CompileCommand*> CompileDatabase::cuda_through(const fs::path& header) const {
  fs::path const real = fs::weakly_canonical(header);
  std::vector<const CompileCommand*> found;
  for (const CompileCommand& command : commands_)
    if (command.is_cuda && reaches(command, real)) found.push_back(&command);
  return found;
}

}  // namespace redproof::mutants
