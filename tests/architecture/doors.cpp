#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "tests/architecture/rules.h"
#include "tests/architecture/source_text.h"

namespace redproof::tests {

namespace {

struct Room {
  std::string_view folder;  // the longest folder that holds a file decides
  std::array<std::string_view, 6> may_include;
};

// `oracle/slow` is closed to all but the tests: its one use is to check the first oracle.
constexpr std::array rooms{
    Room{"engine/types", {"engine/types"}},
    Room{"engine", {"engine"}},
    Room{"oracle/slow", {"oracle", "engine/types"}},
    Room{"oracle", {"oracle", "engine/types"}},
    Room{"properties", {"properties", "engine", "oracle"}},
    Room{"gates/cases", {"gates/cases", "engine", "oracle", "properties", "tests/catch.h"}},
    Room{"gates/runner", {"gates/runner"}},
    Room{"mutants", {"mutants", "gates/runner"}},
    Room{"scripts", {"scripts"}},  // projects that are measured: none of ours is in them
    Room{"tests", {"tests", "engine", "oracle", "properties", "gates", "mutants"}},
};
constexpr std::array<std::string_view, 7> top_folders{"engine", "oracle", "properties", "gates", "mutants", "scripts", "tests"};

Room const* room_of(std::string_view file) {
  Room const* best = nullptr;
  for (Room const& room : rooms) {
    bool const longer = best == nullptr || room.folder.size() > best->folder.size();
    if (is_below(file, room.folder) && longer) best = &room;
  }
  return best;
}

// The file of ours that an include names, relative to the tree; empty where it is none of ours.
std::optional<std::string> own_file(Tree const& tree, std::string const& file, Include const& include) {
  namespace fs = std::filesystem;
  if (include.quoted) {
    std::string const beside = (fs::path(file).parent_path() / include.target).lexically_normal().generic_string();
    if (tree.has(beside) || beside.starts_with("..")) return beside;
  }
  std::string const from_root = fs::path(include.target).lexically_normal().generic_string();
  bool const in_room = std::any_of(top_folders.begin(), top_folders.end(), [&](auto top) { return is_below(from_root, top); });
  if (in_room || tree.has(from_root) || from_root.starts_with("..")) return from_root;
  return std::nullopt;
}

bool is_open(Room const& room, std::string_view target) {
  bool const slow = is_below(target, "oracle/slow");
  if (slow && !is_below(room.folder, "oracle/slow") && !is_below(room.folder, "tests")) return false;
  return std::any_of(room.may_include.begin(), room.may_include.end(),
                     [&](std::string_view door) { return !door.empty() && is_below(target, door); });
}

}  // namespace

std::vector<Finding> closed_doors(Tree const& tree) {
  std::vector<Finding> out;
  for (std::string const& file : tree.sources()) {
    Room const* room = room_of(file);
    if (room == nullptr) {
      out.push_back({file, 0, "source", "it stands in no room"});
      continue;
    }
    for (Include const& include : includes_of(tree.read(file))) {
      if (include.target.empty())
        out.push_back({file, include.line, include.directive, "the include graph cannot be read through a macro"});
      std::optional<std::string> const target = own_file(tree, file, include);
      if (!target || is_open(*room, *target)) continue;
      out.push_back({file, include.line, include.directive, std::string(room->folder) + " may not include " + *target});
    }
  }
  return out;
}

}  // namespace redproof::tests
