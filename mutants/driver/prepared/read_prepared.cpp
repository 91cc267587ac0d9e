#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gates/runner/json_document.h"
#include "gates/runner/printable.h"
#include "mutants/driver/catalog/catalog.h"
#include "mutants/driver/lab/tree.h"
#include "mutants/driver/prepared/prepared.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;
using gates::JsonValue;

constexpr std::uint64_t most = 1u << 30;

LabConfig lab_of(const JsonValue& json) {
  LabConfig lab;
  lab.bin = safe_path_of(json.at("bin"));
  lab.gates = safe_path_of(json.at("gates"));
  for (const JsonValue& program : json.at("programs").items()) lab.programs.push_back(safe_path_of(program));
  return lab;
}

gates::Verdict verdict_of(const JsonValue& json) {
  using enum gates::Verdict;
  static constexpr std::array all{green, red, vacuous, skipped, broken};
  auto const found = std::find_if(all.begin(), all.end(), [&](gates::Verdict verdict) { return gates::word(verdict) == json.text(); });
  if (found == all.end()) json.refuse("is no verdict");
  return *found;
}

gates::GateResult result_of(const JsonValue& json) {
  gates::GateResult result;
  result.id = json.at("gate").nonempty_text();
  result.verdict = verdict_of(json.at("verdict"));
  result.seconds = json.at("seconds").number();
  result.evidence.exit_code_only = json.at("exit_code_only").boolean();
  for (const JsonValue& entry : json.at("laws").items()) {
    gates::LawEvidence law;
    law.law = entry.at("law").text();
    law.subject = entry.at("subject").text();
    law.verdict = result.verdict;
    law.elements = entry.at("elements").natural();
    result.evidence.laws.push_back(std::move(law));
  }
  return result;
}

Numbering numbering_of(const JsonValue& json) {
  Numbering numbering;
  for (const JsonValue& function : json.at("functions").items())
    numbering.functions.push_back({safe_path_of(function.at("path")), function.at("name").text(), function.at("line").natural(most),
                                   function.at("constexpr").boolean()});
  for (const JsonValue& mutant : json.at("mutants").items()) {
    auto const number = static_cast<unsigned>(mutant.at("number").natural(most));
    std::vector<unsigned> functions;
    for (const JsonValue& function : mutant.at("functions").items()) {
      functions.push_back(static_cast<unsigned>(function.natural(most)));
      if (functions.back() >= numbering.functions.size()) function.refuse("is the number of no function");
    }
    if (number == 0 || functions.empty() || !numbering.functions_of.emplace(number, std::move(functions)).second)
      mutant.refuse("has no number and functions of its own");
    numbering.mutants[safe_path_of(mutant.at("id"))] = number;
  }
  return numbering;
}

}  // namespace

Prepared read_prepared(const fs::path& folder) {
  fs::path const file = folder / "prepared.json";
  if (!fs::exists(file))
    throw gates::Refusal(fmt::format("{}: is not there: mutate --prepare did not leave this folder", gates::printable(file.string())));
  auto const document = gates::JsonDocument::read(file);
  JsonValue const json = document.root();
  if (json.at("schema").text() != "redproof.prepared.1") json.at("schema").refuse("is not redproof.prepared.1");
  Prepared prepared;
  prepared.lab = lab_of(json.at("lab"));
  for (const JsonValue& gate : json.at("pristine").items()) {
    gates::GateResult result = result_of(gate);
    prepared.pristine[result.id] = std::move(result);
  }
  prepared.numbering = numbering_of(json.at("numbering"));
  prepared.tree_sha256 = json.at("tree_sha256").text();
  fs::path const tree = folder / prepared_tree;
  if (!fs::is_directory(tree) || tree_sha256(tree, all_files(tree), {}) != prepared.tree_sha256)
    throw gates::Refusal(fmt::format("{}: is not the tree that was prepared", gates::printable(tree.string())));
  return prepared;
}

}  // namespace redproof::mutants
