#include <nlohmann/json.hpp>

#include "gates/runner/listing.h"

namespace redproof::gates {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

// The keys of the gate's own file.
Json entry(const Gate& gate) {
  Json surface = Json::array();
  for (auto const& item : gate.surface) surface.push_back(item.file + "::" + item.symbol);
  Json spots = Json::array();
  for (auto const& spot : gate.blind_spots) spots.push_back({{"what", spot.what}, {"covered_by", or_null(spot.covered_by)}});
  Json run = gate.foreign() ? Json{{"argv", gate.argv}} : Json{{"program", gate.program}, {"tag", gate.tag}};
  return {{"id", gate.id},
          {"claim", gate.claim},
          {"theorem", gate.theorem},
          {"subjects", gate.subjects},
          {"run", run},
          {"laws", gate.laws},
          {"surface", surface},
          {"needs", gate.needs},
          {"timeout_s", gate.timeout.count()},
          {"network", gate.network},
          {"stage", word(gate.stage)},
          {"blind_spots", spots},
          {"kept_because", or_null(gate.kept_because)}};
}

}  // namespace

std::string json_listing(const std::vector<Gate>& gates) {
  Json list = Json::array();
  for (auto const& gate : gates) list.push_back(entry(gate));
  return Json({{"schema", "redproof.gate_list.1"}, {"gates", list}}).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::gates
