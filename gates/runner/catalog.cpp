#include "gates/runner/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gates/runner/glob.h"
#include "gates/runner/json_document.h"
#include "gates/runner/printable.h"
#include "gates/runner/safe_path.h"

namespace redproof::gates {

namespace {

constexpr std::string_view suffix = ".gate.json";
constexpr std::uint64_t longest_timeout_s = 24 * 3600;

std::string id_of(const JsonValue& value) {
  auto id = value.text();
  if (!is_gate_id(id)) value.refuse("must be made of [a-z0-9_], at most 80 characters");
  return id;
}

std::string program_of(const JsonValue& value) {
  auto name = value.nonempty_text();
  if (!is_safe_relative(name) || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
    value.refuse("must be the name of a program");
  return name;
}

std::string tag_of(const JsonValue& value) {
  auto tag = value.text();
  if (!is_gate_id(tag)) value.refuse("must be made of [a-z0-9_], at most 80 characters");
  return tag;
}

std::vector<std::string> argv_of(const JsonValue& value) {
  auto argv = value.texts();
  if (argv.empty() || argv[0].empty()) value.refuse("must name a program");
  for (auto const& item : value.items())
    if (item.text().find('\0') != std::string::npos) item.refuse("holds a null character");
  return argv;
}

using Problems = std::vector<std::string>;

// One fault of a file hides no other: each part is read by itself.
template <typename Read>
void attempt(Problems& problems, Read read) {
  try {
    read();
  } catch (const Refusal& refusal) {
    problems.emplace_back(refusal.what());
  }
}

void read_run(const JsonValue& run, Gate& gate, Problems& problems) {
  attempt(problems, [&] { run.allow_only({"program", "tag", "argv"}); });
  auto const program = run.find("program");
  auto const argv = run.find("argv");
  if (program.has_value() == argv.has_value()) run.refuse("must hold either \"program\" and \"tag\", or \"argv\"");
  if (argv) {
    attempt(problems, [&] { gate.argv = argv_of(*argv); });
    if (run.find("tag")) run.refuse("\"tag\" belongs to \"program\"");
    return;
  }
  attempt(problems, [&] { gate.program = program_of(*program); });
  gate.tag = tag_of(run.at("tag"));
}

std::vector<std::string> distinct_names(const JsonValue& value, Problems& problems) {
  std::vector<std::string> names;
  for (auto const& item : value.items())
    attempt(problems, [&] {
      auto const name = item.nonempty_text();
      if (std::count(names.begin(), names.end(), name) > 0) item.refuse("is there twice");
      names.push_back(name);
    });
  return names;
}

void read_laws(const JsonValue& root, bool foreign, Gate& gate, Problems& problems) {
  if (foreign && !root.find("laws")) return;
  auto const value = root.at("laws");
  gate.laws = distinct_names(value, problems);
  if (value.items().empty() && !foreign) value.refuse("must name every law that reports");
}

Surface surface_of(const JsonValue& value) {
  auto const text = value.text();
  auto const colons = text.find("::");
  if (colons == std::string::npos || colons == 0 || colons + 2 == text.size()) value.refuse("must be PATH::SYMBOL");
  Surface surface{text.substr(0, colons), text.substr(colons + 2)};
  if (!is_safe_relative(surface.file)) value.refuse("the path must be relative and without \"..\"");
  return surface;
}

BlindSpot blind_spot_of(const JsonValue& value) {
  value.allow_only({"what", "covered_by"});
  auto const covered_by = value.at("covered_by");
  BlindSpot spot{value.at("what").nonempty_text(), std::nullopt};
  if (!covered_by.is_null()) spot.covered_by = id_of(covered_by);
  return spot;
}

void check_need(const JsonValue& value) {
  auto const text = value.text();
  auto const name = text.substr(std::min(text.find(':') + 1, text.size()));
  bool const file = text.starts_with("file:") && is_safe_relative(name);
  bool const program = text.starts_with("program:") && is_safe_relative(name) && name.find('/') == std::string::npos;
  bool const env = text.starts_with("env:") && !name.empty() && name.find('=') == std::string::npos;
  if (!file && !program && !env) value.refuse("must be file:PATH, program:NAME or env:NAME");
}

void read_needs(const JsonValue& value, Gate& gate, Problems& problems) {
  gate.needs = distinct_names(value, problems);
  for (auto const& item : value.items())
    if (item.is_text() && !item.text().empty()) attempt(problems, [&] { check_need(item); });
}

void read_timeout(const JsonValue& value, Gate& gate) {
  gate.timeout = std::chrono::seconds(value.natural(longest_timeout_s));
  if (gate.timeout.count() == 0) value.refuse("must be at least 1");
}

void read_stage(const JsonValue& value, Gate& gate) {
  auto const text = value.text();
  if (text != word(Stage::premerge) && text != word(Stage::nightly)) value.refuse("must be premerge or nightly");
  gate.stage = text == word(Stage::nightly) ? Stage::nightly : Stage::premerge;
}

void read_lists(const JsonValue& root, Gate& gate, Problems& problems) {
  if (auto const surface = root.find("surface"))
    attempt(problems, [&] {
      for (auto const& item : surface->items()) attempt(problems, [&] { gate.surface.push_back(surface_of(item)); });
    });
  if (auto const spots = root.find("blind_spots"))
    attempt(problems, [&] {
      for (auto const& item : spots->items()) attempt(problems, [&] { gate.blind_spots.push_back(blind_spot_of(item)); });
    });
  if (auto const needs = root.find("needs")) attempt(problems, [&] { read_needs(*needs, gate, problems); });
}

void read_subjects(const JsonValue& value, Gate& gate, Problems& problems) {
  gate.subjects = distinct_names(value, problems);
  if (value.items().empty()) value.refuse("must name a subject");
}

void check_keys(const JsonValue& root, Problems& problems) {
  constexpr std::array<std::string_view, 13> known = {"id",    "claim",     "theorem", "subjects", "run",         "laws",        "surface",
                                                      "needs", "timeout_s", "network", "stage",    "blind_spots", "kept_because"};
  for (auto const& [key, value] : root.members())
    if (std::find(known.begin(), known.end(), key) == known.end())
      attempt(problems, [&] { root.refuse(fmt::format("unknown key \"{}\"", printable(key, 80))); });
}

void read_id(const JsonValue& value, Gate& gate) {
  auto const id = id_of(value);
  if (id + std::string(suffix) != gate.file.filename().string()) value.refuse(fmt::format("\"{}\" is not the file's name", id));
  gate.id = id;
}

void read_members(const JsonValue& root, Gate& gate, Problems& problems) {
  attempt(problems, [&] { read_id(root.at("id"), gate); });
  attempt(problems, [&] { gate.claim = root.at("claim").nonempty_text(); });
  attempt(problems, [&] { gate.theorem = root.at("theorem").nonempty_text(); });
  attempt(problems, [&] { read_subjects(root.at("subjects"), gate, problems); });
  attempt(problems, [&] { read_run(root.at("run"), gate, problems); });
  bool const foreign = root.find("run") && root.at("run").is_object() && root.at("run").find("argv");
  attempt(problems, [&] { read_laws(root, foreign, gate, problems); });
  read_lists(root, gate, problems);
  if (auto const kept = root.find("kept_because")) attempt(problems, [&] { gate.kept_because = kept->nonempty_text(); });
  if (auto const timeout = root.find("timeout_s")) attempt(problems, [&] { read_timeout(*timeout, gate); });
  if (auto const network = root.find("network")) attempt(problems, [&] { gate.network = network->boolean(); });
  if (auto const stage = root.find("stage")) attempt(problems, [&] { read_stage(*stage, gate); });
}

}  // namespace

std::string_view word(Stage stage) { return stage == Stage::nightly ? "nightly" : "premerge"; }

bool is_gate_id(const std::string& id) {
  auto const allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !id.empty() && id.size() <= 80 && std::all_of(id.begin(), id.end(), allowed);
}

std::filesystem::path find_root(const std::filesystem::path& from) {
  auto const holds_gates = [](const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::is_directory(folder / "gates", error) && !gate_files(folder / "gates").empty();
  };
  auto folder = std::filesystem::absolute(from).lexically_normal();
  while (!holds_gates(folder)) {
    auto const parent = folder.parent_path();
    if (parent == folder)
      throw Refusal(fmt::format("{}: neither it nor a folder above it holds gates/*.gate.json", printable(from.string())));
    folder = parent;
  }
  return folder;
}

GateReading read_gate(const std::filesystem::path& file) {
  GateReading reading;
  reading.gate.file = file;
  attempt(reading.problems, [&] {
    auto const folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    if (!stays_below(folder, file)) throw Refusal(fmt::format("{}: links out of its folder", printable(file.string())));
    auto const document = JsonDocument::read(file);
    check_keys(document.root(), reading.problems);
    read_members(document.root(), reading.gate, reading.problems);
  });
  return reading;
}

Gate load_gate(const std::filesystem::path& file) {
  auto reading = read_gate(file);
  if (!reading.problems.empty()) throw Refusal(reading.problems.front());
  return std::move(reading.gate);
}

std::vector<std::filesystem::path> gate_files(const std::filesystem::path& dir) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (auto entry = std::filesystem::directory_iterator(dir, error); !error && entry != std::filesystem::directory_iterator();
       entry.increment(error))
    if (entry->path().filename().string().ends_with(suffix)) files.push_back(entry->path());
  if (error) throw Refusal(fmt::format("{}: cannot be listed: {}", printable(dir.string()), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

std::string no_gates_in(const std::filesystem::path& root) {
  return fmt::format("{}: holds no gates/*.gate.json", printable(root.string()));
}

std::vector<Gate> load_gates(const std::filesystem::path& dir) {
  std::vector<Gate> gates;
  for (auto const& file : gate_files(dir)) gates.push_back(load_gate(file));
  std::sort(gates.begin(), gates.end(), [](const Gate& a, const Gate& b) { return a.id < b.id; });
  return gates;
}

std::vector<Gate> select_gates(const std::vector<Gate>& gates, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return gates;
  for (auto const& pattern : patterns)
    if (std::none_of(gates.begin(), gates.end(), [&](const Gate& gate) { return glob_matches(pattern, gate.id); }))
      throw Refusal(fmt::format("{}: no gate has this id", printable(pattern, 200)));
  std::vector<Gate> selected;
  std::copy_if(gates.begin(), gates.end(), std::back_inserter(selected), [&](const Gate& gate) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) { return glob_matches(pattern, gate.id); });
  });
  return selected;
}

}  // namespace redproof::gates
