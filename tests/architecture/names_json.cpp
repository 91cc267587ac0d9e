#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/architecture/rules.h"

namespace redproof::tests {
namespace {

using nlohmann::json;

struct Catalogue {
  std::map<std::string, json> gates;    // id -> gate file
  std::map<std::string, json> mutants;  // id -> mutant file
};

bool strip(std::string& file, std::string const& prefix, std::string const& suffix) {
  if (!file.starts_with(prefix) || !file.ends_with(suffix)) return false;
  file = file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
  return true;
}

Catalogue catalogue_of(Tree const& tree) {
  Catalogue catalogue;
  for (auto const& file : tree.files()) {
    std::string id = file;
    if (strip(id, "gates/", ".gate.json")) catalogue.gates[id] = json::parse(tree.read(file));
    if (strip(id, "mutants/", ".mutant.json")) catalogue.mutants[id] = json::parse(tree.read(file));
  }
  return catalogue;
}

// The law names that a mutant promises to turn red.
std::set<std::string> laws_of(json const& mutant) {
  std::set<std::string> laws;
  for (auto const& red : mutant.value("reds", json::array())) laws.insert(red.value("law", ""));
  return laws;
}

bool lists(json const& array, std::string const& text) { return std::find(array.begin(), array.end(), json(text)) != array.end(); }

void check_mutant(Catalogue const& catalogue, std::string const& id, json const& mutant, std::vector<Finding>& findings) {
  std::string const file = "mutants/" + id + ".mutant.json";
  for (auto const& red : mutant.value("reds", json::array())) {
    if (!red.contains("gate")) continue;
    auto const gate = catalogue.gates.find(red.at("gate").get<std::string>());
    if (gate == catalogue.gates.end()) {
      findings.push_back({file, 0, red.at("gate"), "there is no such gate"});
    } else if (red.contains("law") && !lists(gate->second.at("laws"), red.at("law"))) {
      findings.push_back({file, 0, red.at("law"), "no law of " + gate->first});
    }
  }
  for (auto const& gate : mutant.value("keeps_green", json::array())) {
    if (!catalogue.gates.contains(gate.get<std::string>())) findings.push_back({file, 0, gate, "there is no such gate"});
  }
}

// Mutants that a law's source says its population shows.
void check_law(Catalogue const& catalogue, std::string const& file, std::string const& text, std::vector<Finding>& findings) {
  static std::regex const list(R"re(separates\s*=\s*\{([^}]*)\})re");
  static std::regex const signal(R"re(\.signal\("([^"]*)")re");
  static std::regex const quoted(R"re("([^"]*)")re");
  std::set<std::string> named;
  for (std::sregex_iterator at(text.begin(), text.end(), list), end; at != end; ++at) {
    std::string const ids = (*at)[1];
    for (std::sregex_iterator id(ids.begin(), ids.end(), quoted); id != end; ++id) named.insert((*id)[1]);
  }
  for (std::sregex_iterator at(text.begin(), text.end(), signal), end; at != end; ++at) named.insert((*at)[1]);
  std::string law = file;
  strip(law, "properties/", ".cpp");
  for (auto const& id : named) {
    auto const mutant = catalogue.mutants.find(id);
    if (mutant == catalogue.mutants.end()) {
      findings.push_back({file, 0, id, "there is no such mutant"});
    } else if (!laws_of(mutant->second).contains(law)) {
      findings.push_back({file, 0, id, "this mutant does not promise to turn " + law + " red"});
    }
  }
}

bool kills_alone(Catalogue const& catalogue, json const& mutant, std::string const& gate) {
  bool kills = false;
  for (auto const& red : mutant.value("reds", json::array())) {
    if (red.value("gate", "") != gate) return false;
    kills = true;
  }
  return kills && mutant.value("keeps_green", json::array()).size() + 1 == catalogue.gates.size();
}

void check_gate(Tree const& tree, Catalogue const& catalogue, std::string const& id, std::vector<Finding>& findings) {
  std::string const file = "gates/" + id + ".gate.json";
  json const& gate = catalogue.gates.at(id);
  for (auto const& law : gate.at("laws")) {
    if (!tree.has("properties/" + law.get<std::string>() + ".cpp")) findings.push_back({file, 0, law, "no such file in properties/"});
  }
  if (gate.contains("kept_because")) return;
  for (auto const& [name, mutant] : catalogue.mutants) {
    if (kills_alone(catalogue, mutant, id)) return;
  }
  findings.push_back({file, 0, id, "no mutant names it alone and keeps every other gate green, and it says no kept_because"});
}

}  // namespace

std::vector<Finding> loose_names(Tree const& tree) {
  std::vector<Finding> findings;
  auto const catalogue = catalogue_of(tree);
  for (auto const& [id, gate] : catalogue.gates) check_gate(tree, catalogue, id, findings);
  for (auto const& [id, mutant] : catalogue.mutants) check_mutant(catalogue, id, mutant, findings);
  for (auto const& file : tree.files()) {
    if (file.starts_with("properties/") && file.ends_with(".cpp")) check_law(catalogue, file, tree.read(file), findings);
  }
  return findings;
}

}  // namespace redproof::tests
