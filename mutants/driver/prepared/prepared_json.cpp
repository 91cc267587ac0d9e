#include <nlohmann/json.hpp>

#include "mutants/driver/prepared/prepared.h"

namespace redproof::mutants {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const gates::GateResult& result) {
  Json laws = Json::array();
  for (const gates::LawEvidence& law : result.evidence.laws)
    laws.push_back({{"law", law.law}, {"subject", law.subject}, {"elements", law.elements}});
  return {{"gate", result.id},
          {"verdict", gates::word(result.verdict)},
          {"seconds", result.seconds},
          {"exit_code_only", result.evidence.exit_code_only},
          {"laws", laws}};
}

Json json_of(const Numbering& numbering) {
  Json functions = Json::array();
  for (const HostFunction& function : numbering.functions)
    functions.push_back({{"path", function.path}, {"name", function.name}, {"line", function.line}, {"constexpr", function.is_constexpr}});
  Json mutants = Json::array();
  for (const auto& [id, number] : numbering.mutants)
    mutants.push_back({{"id", id}, {"number", number}, {"functions", numbering.functions_of.at(number)}});
  return {{"functions", functions}, {"mutants", mutants}};
}

}  // namespace

std::string to_json(const Prepared& prepared) {
  Json pristine = Json::array();
  for (const auto& [id, result] : prepared.pristine) pristine.push_back(json_of(result));
  Json const lab = {{"bin", prepared.lab.bin}, {"gates", prepared.lab.gates}, {"programs", prepared.lab.programs}};
  Json const document = {{"schema", "redproof.prepared.1"},
                         {"tree_sha256", prepared.tree_sha256},
                         {"lab", lab},
                         {"pristine", pristine},
                         {"numbering", json_of(prepared.numbering)}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::mutants
