#include "mutants/driver/catalog/catalog.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "gates/runner/refusal.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view suffix = ".mutant.json";

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= 80 && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

bool is_id(const std::string& id) {
  auto const slash = id.find('/');
  return slash != std::string::npos && is_word(std::string_view(id).substr(0, slash)) && is_word(std::string_view(id).substr(slash + 1));
}

std::string id_of(const fs::path& dir, const fs::path& file) {
  std::string const relative = file.lexically_relative(dir).generic_string();
  return relative.substr(0, relative.size() - suffix.size());
}

void check_inside(const fs::path& dir, const fs::path& file) {
  std::error_code failed;
  fs::path const real = fs::canonical(file, failed);
  fs::path const home = fs::canonical(dir, failed);
  std::string const relative = real.lexically_relative(home).generic_string();
  if (failed || relative.empty() || relative.starts_with("..")) throw gates::Refusal(file.string() + ": links out of the catalogue");
}

const gates::Gate* find_gate(const std::vector<gates::Gate>& gates, const std::string& id) {
  auto const found = std::find_if(gates.begin(), gates.end(), [&](const gates::Gate& gate) { return gate.id == id; });
  return found == gates.end() ? nullptr : &*found;
}

// A law has to be named wherever the gate can tell which one went red.
void check_red(const Mutant& mutant, const Red& red, const gates::Gate& gate) {
  bool const known = std::find(gate.laws.begin(), gate.laws.end(), red.law) != gate.laws.end();
  if (!red.law.empty() && !gate.laws.empty() && !known)
    throw gates::Refusal(fmt::format("{}: reds: gate {} has no law named {}", mutant.file.string(), gate.id, red.law));
  if (red.law.empty() && !gate.laws.empty() && mutant.expects == Expectation::law)
    throw gates::Refusal(fmt::format("{}: reds: gate {} needs the law that must go red", mutant.file.string(), gate.id));
}

}  // namespace

std::vector<Mutant> load_catalog(const fs::path& dir) {
  if (!fs::is_directory(dir)) throw gates::Refusal(dir.string() + ": no such catalogue");
  std::vector<Mutant> mutants;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    if (!entry.path().filename().string().ends_with(suffix) || entry.is_directory()) continue;
    std::string const id = id_of(dir, entry.path());
    if (!is_id(id))
      throw gates::Refusal(entry.path().string() + ": a mutant lives at GROUP/NAME.mutant.json, in letters a-z, digits and _");
    check_inside(dir, entry.path());
    mutants.push_back(load_mutant(entry.path(), id));
  }
  std::sort(mutants.begin(), mutants.end(), [](const Mutant& a, const Mutant& b) { return a.id < b.id; });
  return mutants;
}

std::vector<Mutant> select_mutants(const std::vector<Mutant>& mutants, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return mutants;
  std::vector<bool> chosen(mutants.size());
  for (const std::string& pattern : patterns) {
    bool matched = false;
    for (std::size_t i = 0; i < mutants.size(); ++i)
      if (fnmatch(pattern.c_str(), mutants[i].id.c_str(), 0) == 0) matched = chosen[i] = true;
    if (!matched) throw gates::Refusal("no mutant matches " + pattern);
  }
  std::vector<Mutant> selected;
  for (std::size_t i = 0; i < mutants.size(); ++i)
    if (chosen[i]) selected.push_back(mutants[i]);
  return selected;
}

void check_gates_exist(const std::vector<Mutant>& mutants, const std::vector<gates::Gate>& gates) {
  for (const Mutant& mutant : mutants) {
    for (const std::string& name : mutant.gates())
      if (find_gate(gates, name) == nullptr) throw gates::Refusal(fmt::format("{}: no gate named {}", mutant.file.string(), name));
    for (const Red& red : mutant.reds) check_red(mutant, red, *find_gate(gates, red.gate));
  }
}

bool is_safe_path(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return false;
  fs::path const parts(path);
  if (parts.is_absolute()) return false;
  return std::none_of(parts.begin(), parts.end(), [](const fs::path& part) { return part == ".." || part.empty(); });
}

std::string safe_path_of(const gates::JsonValue& json) {
  std::string text = json.nonempty_text();
  if (!is_safe_path(text)) json.refuse("must be relative, without ..");
  return text;
}

}  // namespace redproof::mutants
