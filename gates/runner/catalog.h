// The gates of a project: one file a gate, gates/ID.gate.json.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redproof::gates {

// When a gate is run: before every merge, or in the night alone.
enum class Stage { premerge, nightly };
std::string_view word(Stage stage);

struct BlindSpot {
  std::string what;
  std::optional<std::string> covered_by;  // the id of the gate that sees it
};

struct Surface {
  std::string file;  // relative to the root
  std::string symbol;
};

struct Gate {
  std::string id;
  std::string claim;
  std::string theorem;
  std::vector<std::string> subjects;
  std::string program;            // one of the project's gate programs, in the folder of the programs ...
  std::string tag;                // ... run with [tag]
  std::vector<std::string> argv;  // or any command, with cwd = root; then `program` is empty
  std::vector<std::string> laws;  // every one must report
  bool these_laws_only = false;   // the process is asked to check no others; never in a file
  std::vector<Surface> surface;
  std::vector<std::string> needs;  // file:PATH, program:NAME or env:NAME; where one is missing the gate is skipped
  std::chrono::seconds timeout{60};
  bool network = false;  // where others run without one
  Stage stage = Stage::premerge;
  std::vector<BlindSpot> blind_spots;
  std::optional<std::string> kept_because;
  std::filesystem::path file;

  bool foreign() const { return program.empty(); }
};

// The root that holds gates/*.gate.json: `from` or the nearest folder above it. Throws Refusal where there is none.
std::filesystem::path find_root(const std::filesystem::path& from);
// The *.gate.json of one folder, sorted. Throws Refusal where the folder cannot be listed.
std::vector<std::filesystem::path> gate_files(const std::filesystem::path& dir);
// What is told of a root without any.
std::string no_gates_in(const std::filesystem::path& root);
// All of them, sorted by id. Throws Refusal for the first file that is malformed, is not named after its id, or links
// out of the folder.
std::vector<Gate> load_gates(const std::filesystem::path& dir);
struct GateReading {
  Gate gate;                          // what could be read of it; its id is empty where that is refused
  std::vector<std::string> problems;  // everything that is wrong with the file by itself
};
GateReading read_gate(const std::filesystem::path& file);
Gate load_gate(const std::filesystem::path& file);  // the file must lie below its folder when links are resolved
// The gates that any pattern names (ids, or globs with * and ?), in catalogue order; no pattern means all. A pattern that matches nothing
// is refused.
std::vector<Gate> select_gates(const std::vector<Gate>& gates, const std::vector<std::string>& patterns);
bool is_gate_id(const std::string& id);  // [a-z0-9_]+, at most 80

}  // namespace redproof::gates
