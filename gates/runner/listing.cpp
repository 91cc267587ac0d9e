#include "gates/runner/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gates/runner/printable.h"

namespace redproof::gates {

namespace {

std::string joined(const std::vector<std::string>& words) { return printable(fmt::format("{}", fmt::join(words, ", "))); }

std::string row(const char* name, const std::string& text) { return text.empty() ? "" : fmt::format("{:<12} {}\n", name, printable(text)); }

std::string command_of(const Gate& gate) {
  return gate.foreign() ? fmt::format("{}", fmt::join(gate.argv, " ")) : fmt::format("{} [{}]", gate.program, gate.tag);
}

}  // namespace

std::string human_listing(const std::vector<Gate>& gates) {
  std::string text;
  for (auto const& gate : gates)
    text += fmt::format("{:<32} {:<12} {:<8} {}\n", gate.id, joined(gate.subjects), word(gate.stage), printable(gate.claim));
  return text + fmt::format("{} gates\n", gates.size());
}

std::string human_page(const Gate& gate) {
  std::string text = row("gate", gate.id) + row("claim", gate.claim) + row("theorem", gate.theorem) +
                     row("subjects", joined(gate.subjects)) + row("run", command_of(gate)) + row("laws", joined(gate.laws)) +
                     row("needs", joined(gate.needs)) + row("timeout", fmt::format("{} s", gate.timeout.count())) +
                     row("stage", std::string(word(gate.stage)));
  for (auto const& surface : gate.surface) text += row("surface", surface.file + "::" + surface.symbol);
  for (auto const& spot : gate.blind_spots)
    text += row("blind spot", fmt::format("{} (seen by {})", spot.what, spot.covered_by.value_or("no gate")));
  return text + row("kept because", gate.kept_because.value_or(""));
}

}  // namespace redproof::gates
