#include "mutants/driver/cache/include_graph.h"

#include <algorithm>

#include "mutants/driver/cache/code_text.h"
#include "mutants/driver/find/source_file.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

constexpr const char* any_name = "*";

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Files that a command's source includes without naming them.
std::set<std::string> included_by_command(const CompileCommand& command) {
  std::set<std::string> names;
  for (std::size_t i = 0; i + 1 < command.words.size(); ++i)
    if (command.words[i] == "-include" || command.words[i] == "-imacros") names.insert(last_part(command.words[i + 1]));
  for (const std::string& word : command.words)
    if (word.starts_with('@') || (word.starts_with("-include") && word != "-include") ||
        (word.starts_with("-imacros") && word != "-imacros"))
      names.insert(any_name);
  return names;
}

}  // namespace

bool has_made_nothing(const CompileCommand& command) {
  auto const output = std::find(command.words.begin(), command.words.end(), "-o");
  return output != command.words.end() && output + 1 != command.words.end() && !fs::exists(command.directory / *(output + 1));
}

IncludeGraph::IncludeGraph(const fs::path& tree, const std::vector<std::string>& files, const CompileDatabase& database)
    : tree_(fs::weakly_canonical(tree)) {
  for (const std::string& file : files)
    if (is_source(file)) scan(file);
  for (const CompileCommand& command : database.commands()) {
    std::string const path = command.file.lexically_relative(tree_).generic_string();
    commands_[path].push_back(&command);
    scan(path);
    for (const std::string& name : included_by_command(command)) includes_[path].insert(name);
  }
  // Whatever it is called: what is named by an include is code.
  for (std::size_t known = 0; known != includes_.size();) {
    known = includes_.size();
    for (const auto& [file, names] : includes_) included_.insert(names.begin(), names.end());
    for (const std::string& file : files)
      if (included_.contains(last_part(file))) scan(file);
  }
}

void IncludeGraph::scan(const std::string& file) {
  std::error_code failed;
  if (includes_.contains(file) || !fs::is_regular_file(tree_ / file, failed)) return;
  Includes const found = includes_of(code_text(read_file(tree_ / file)));
  Names& names = includes_[file];
  for (const std::string& name : found.names) names.insert(last_part(name));
  if (found.computed) names.insert(any_name);
}

bool IncludeGraph::reaches(const Names& includes, const Names& names) const {
  if (includes.contains(any_name)) return true;
  return std::any_of(includes.begin(), includes.end(), [&](const std::string& name) { return names.contains(name); });
}

std::set<std::string> IncludeGraph::reaching(const std::string& file) const {
  std::set<std::string> found{file};
  Names names{last_part(file)};
  for (std::size_t known = 0; known != found.size();) {
    known = found.size();
    for (const auto& [other, includes] : includes_)
      if (!found.contains(other) && reaches(includes, names)) {
        found.insert(other);
        names.insert(last_part(other));
      }
  }
  return found;
}

std::optional<std::vector<const CompileCommand*>> IncludeGraph::units_of(const std::string& file) const {
  std::vector<const CompileCommand*> units;
  for (const std::string& source : reaching(file)) {
    auto const commands = commands_.find(source);
    if (commands == commands_.end()) {
      if (is_unit(source) && !included_.contains(last_part(source))) return std::nullopt;
      continue;
    }
    for (const CompileCommand* command : commands->second)
      if (!has_made_nothing(*command)) units.push_back(command);
  }
  return units;
}

}  // namespace redproof::mutants
