#include "gates/runner/command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <string_view>

extern char** environ;

namespace redproof::gates {

namespace {

std::map<std::string, std::string> environment_of(const ProcessSpec& spec) {
  std::map<std::string, std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string_view const text(*entry);
    auto const equals = text.find('=');
    if (equals != std::string_view::npos && equals > 0)
      environment.emplace(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  }
  for (auto const& name : spec.unset_env) environment.erase(name);
  for (auto const& [name, value] : spec.set_env) environment[name] = value;
  return environment;
}

bool regular_file(const std::string& path) {
  struct stat facts = {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

// The first executable `name` in the folders of `path_list`; a folder that is not absolute counts from `cwd`.
void search(const std::string& name, std::string_view path_list, Command& command) {
  while (true) {
    auto const colon = path_list.find(':');
    std::filesystem::path const folder = std::filesystem::path(command.cwd) / std::string(path_list.substr(0, colon));
    std::string const candidate = (folder / name).string();
    if (regular_file(candidate)) {
      if (access(candidate.c_str(), X_OK) == 0) {
        command.program = candidate;
        return;
      }
      command.missing_code = 126;
    }
    if (colon == std::string_view::npos) return;
    path_list.remove_prefix(colon + 1);
  }
}

}  // namespace

Command resolve_command(const ProcessSpec& spec) {
  Command command;
  command.cwd = spec.cwd.empty() ? std::string() : spec.cwd.string();
  auto const environment = environment_of(spec);
  for (auto const& [name, value] : environment) command.environment.push_back(name + "=" + value);
  if (spec.argv.empty() || spec.argv[0].empty()) return command;
  if (spec.argv[0].find('/') != std::string::npos) {
    command.program = spec.argv[0];
    return command;
  }
  auto const path = environment.find("PATH");
  search(spec.argv[0], path == environment.end() ? std::string_view("/usr/bin:/bin") : std::string_view(path->second), command);
  return command;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (auto const& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

}  // namespace redproof::gates
