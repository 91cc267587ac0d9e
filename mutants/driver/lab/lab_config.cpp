#include "mutants/driver/lab/lab_config.h"

#include "gates/runner/json_document.h"
#include "mutants/driver/catalog/catalog.h"

namespace redproof::mutants {
namespace {

using gates::JsonValue;

std::string path_of(const JsonValue& value) {
  std::string const path = value.text();
  if (!is_safe_path(path)) value.refuse("must be a path inside the tree, without ..");
  return path;
}

std::vector<std::string> paths_of(const JsonValue& value) {
  std::vector<std::string> paths;
  for (const JsonValue& item : value.items()) paths.push_back(path_of(item));
  return paths;
}

}  // namespace

LabConfig load_lab_config(const std::filesystem::path& file) {
  auto const document = gates::JsonDocument::read(file);
  JsonValue const root = document.root();
  root.allow_only({"configure", "build", "targets", "keep_going", "compile_commands", "bin", "gates", "programs", "links", "inputs"});
  LabConfig config;
  if (auto const configure = root.find("configure")) config.configure = configure->texts();
  config.build = root.at("build").texts();
  if (config.build.empty()) root.at("build").refuse("is empty");
  if (auto const targets = root.find("targets")) config.targets = targets->texts();
  if (auto const keep_going = root.find("keep_going")) config.keep_going = keep_going->texts();
  if (auto const database = root.find("compile_commands")) config.compile_commands = path_of(*database);
  config.bin = path_of(root.at("bin"));
  if (auto const gates = root.find("gates")) config.gates = path_of(*gates);
  config.programs = paths_of(root.at("programs"));
  if (config.programs.empty()) root.at("programs").refuse("is empty: no hash could show that a mutant reached a program");
  if (auto const links = root.find("links")) config.links = paths_of(*links);
  if (auto const inputs = root.find("inputs")) config.inputs = paths_of(*inputs);
  return config;
}

std::vector<std::string> with_targets(const std::vector<std::string>& command, const std::vector<std::string>& targets) {
  std::vector<std::string> words;
  for (const std::string& word : command) {
    if (word == "{targets}")
      words.insert(words.end(), targets.begin(), targets.end());
    else
      words.push_back(word);
  }
  return words;
}

}  // namespace redproof::mutants
