#include "gates/runner/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "gates/runner/catalog.h"
#include "gates/runner/printable.h"
#include "gates/runner/read_file.h"
#include "gates/runner/refusal.h"
#include "gates/runner/safe_path.h"

namespace redproof::gates {

namespace {

constexpr std::uint64_t most_source_bytes = 16 << 20;

bool is_word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool holds_word(const std::string& text, const std::string& word) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    bool const begins = at == 0 || !is_word_part(text[at - 1]) || !is_word_part(word.front());
    auto const end = at + word.size();
    bool const ends = end == text.size() || !is_word_part(text[end]) || !is_word_part(word.back());
    if (begins && ends) return true;
  }
  return false;
}

class Check {
 public:
  explicit Check(const std::filesystem::path& root) : root_(root) {}

  std::vector<std::string> run() {
    load();
    for (auto const& gate : gates_) {
      check_blind_spots(gate);
      check_tag(gate);
      check_surface(gate);
    }
    if (gates_.empty() && problems_.empty()) problems_.push_back("gates/*.gate.json: there is no gate");
    return problems_;
  }

 private:
  void load() {
    if (!std::filesystem::is_directory(root_ / "gates")) return;
    for (auto const& file : gate_files(root_ / "gates")) {
      try {
        gates_.push_back(load_gate(file));
      } catch (const Refusal& refusal) {
        problems_.emplace_back(refusal.what());
      }
    }
  }

  void add(const Gate& gate, const std::string& field, const std::string& what) {
    problems_.push_back(fmt::format("{}: {}: {}", printable(gate.file.string()), field, what));
  }

  void check_blind_spots(const Gate& gate) {
    for (std::size_t i = 0; i < gate.blind_spots.size(); ++i) {
      auto const& by = gate.blind_spots[i].covered_by;
      if (!by) continue;
      std::string const field = fmt::format("blind_spots[{}].covered_by", i);
      bool const there = std::any_of(gates_.begin(), gates_.end(), [&](const Gate& other) { return other.id == *by; });
      if (!there) add(gate, field, fmt::format("no gate has the id {}", *by));
      if (*by == gate.id) add(gate, field, "a gate does not cover its own blind spot");
    }
  }

  void check_tag(const Gate& gate) {
    if (gate.foreign()) return;
    auto const [at, fresh] = tags_.emplace(gate.program + " [" + gate.tag + "]", gate.id);
    if (!fresh) add(gate, "run.tag", fmt::format("{} is also that of {}", gate.tag, at->second));
  }

  void check_surface(const Gate& gate) {
    for (std::size_t i = 0; i < gate.surface.size(); ++i) {
      auto const& [file, symbol] = gate.surface[i];
      std::string const field = fmt::format("surface[{}]", i);
      if (!stays_below(root_, root_ / file)) {
        add(gate, field, fmt::format("{} links out of the project", file));
        continue;
      }
      try {
        auto const name = symbol.substr(symbol.rfind(':') == std::string::npos ? 0 : symbol.rfind(':') + 1);
        if (name.empty() || !holds_word(read_file(root_ / file, most_source_bytes), name))
          add(gate, field, fmt::format("{} does not hold {}", printable(file), printable(symbol, 80)));
      } catch (const Refusal& refusal) {
        add(gate, field, refusal.what());
      }
    }
  }

  const std::filesystem::path& root_;
  std::vector<Gate> gates_;
  std::vector<std::string> problems_;
  std::map<std::string, std::string> tags_;  // program and tag -> the gate that has it
};

}  // namespace

std::vector<std::string> check_gates(const std::filesystem::path& root) { return Check(root).run(); }

}  // namespace redproof::gates
