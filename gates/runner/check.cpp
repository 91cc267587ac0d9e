#include "gates/runner/check.h"

#include <fmt/format.h>
#include <unistd.h>

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
  Check(const std::filesystem::path& root, const std::filesystem::path& bin) : root_(root), bin_(bin) {}

  std::vector<std::string> run() {
    load();
    for (auto const& [gate, problems] : readings_) {
      problems_.insert(problems_.end(), problems.begin(), problems.end());
      check_blind_spots(gate);
      check_program(gate);
      check_laws(gate);
      check_surface(gate);
    }
    if (readings_.empty()) problems_.push_back(no_gates_in(root_));
    return problems_;
  }

 private:
  void load() {
    if (!std::filesystem::is_directory(root_ / "gates")) return;
    for (auto const& file : gate_files(root_ / "gates")) readings_.push_back(read_gate(file));
  }

  // By its file's name: one that is refused is there all the same.
  bool has_gate(const std::string& id) const {
    return std::any_of(readings_.begin(), readings_.end(),
                       [&](const GateReading& reading) { return reading.gate.file.filename() == id + ".gate.json"; });
  }

  void add(const Gate& gate, const std::string& field, const std::string& what) {
    problems_.push_back(fmt::format("{}: {}: {}", printable(gate.file.string()), field, what));
  }

  void check_blind_spots(const Gate& gate) {
    for (std::size_t i = 0; i < gate.blind_spots.size(); ++i) {
      auto const& by = gate.blind_spots[i].covered_by;
      if (!by) continue;
      std::string const field = fmt::format("blind_spots[{}].covered_by", i);
      if (!has_gate(*by)) add(gate, field, fmt::format("no gate has the id {}", *by));
      if (*by + ".gate.json" == gate.file.filename()) add(gate, field, "a gate does not cover its own blind spot");
    }
  }

  bool build_names(const std::string& program) const {
    std::vector<std::filesystem::path> files = {root_ / "CMakeLists.txt"};
    std::error_code error;
    for (auto entry = std::filesystem::directory_iterator(root_ / "cmake", error); !error && entry != std::filesystem::directory_iterator();
         entry.increment(error))
      if (entry->path().extension() == ".cmake") files.push_back(entry->path());
    return std::any_of(files.begin(), files.end(), [&](const std::filesystem::path& file) {
      return std::filesystem::is_regular_file(file, error) && holds_word(read_file(file, most_source_bytes), program);
    });
  }

  void check_program(const Gate& gate) {
    if (gate.foreign()) return;
    if (access((bin_ / gate.program).c_str(), X_OK) != 0 && !build_names(gate.program))
      add(gate, "run.program", fmt::format("{} is neither in {} nor named by the build", printable(gate.program, 80), bin_.string()));
    if (gate.tag.empty()) return;
    auto const [at, fresh] = tags_.emplace(gate.program + " [" + gate.tag + "]", gate.file.filename().string());
    if (!fresh) add(gate, "run.tag", fmt::format("{} is also that of {}", gate.tag, printable(at->second)));
  }

  void check_laws(const Gate& gate) {
    std::error_code error;
    if (gate.foreign() || !std::filesystem::is_directory(root_ / "properties", error)) return;
    for (std::size_t i = 0; i < gate.laws.size(); ++i) {
      std::string const source = fmt::format("properties/{}.cpp", gate.laws[i]);
      if (!is_safe_relative(source) || !std::filesystem::is_regular_file(root_ / source, error))
        add(gate, fmt::format("laws[{}]", i), fmt::format("{} is not there", printable(source, 120)));
    }
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
  const std::filesystem::path& bin_;
  std::vector<GateReading> readings_;
  std::vector<std::string> problems_;
  std::map<std::string, std::string> tags_;  // program and tag -> the gate that has it
};

}  // namespace

std::vector<std::string> check_gates(const std::filesystem::path& root, const std::filesystem::path& bin) { return Check(root, bin).run(); }

}  // namespace redproof::gates
