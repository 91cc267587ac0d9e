#include "mutants/driver/find/prelude.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "gates/runner/interrupt.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t fewest_includes = 2;  // of one header, where several units share a prelude

using Sharers = std::vector<ParseRequest*>;

// A macro that the source defines before its last include may change what is included.
bool defines_before_including(const fs::path& file) {
  std::ifstream stream(file);
  bool defines = false;
  for (std::string line; std::getline(stream, line);) {
    auto const hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    auto const word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos) continue;
    if (line.compare(word, 6, "define") == 0 || line.compare(word, 5, "undef") == 0) defines = true;
    if (defines && line.compare(word, 7, "include") == 0) return true;
  }
  return false;
}

std::map<std::vector<std::string>, Sharers> groups_of(std::vector<ParseRequest>& units) {
  std::map<std::vector<std::string>, Sharers> groups;
  for (ParseRequest& unit : units) {
    bool const plain = !unit.command.is_cuda && unit.command.file.extension() != ".c";
    if (!plain || defines_before_including(unit.command.file)) continue;
    std::vector<std::string> key = unit.command.flags;
    key.push_back(unit.command.directory.string());
    groups[key].push_back(&unit);
  }
  return groups;
}

std::string prelude_text(const Sharers& group) {
  std::map<std::string, std::size_t> counts;
  for (const ParseRequest* unit : group)
    for (const std::string& name : foreign_headers(unit->command)) ++counts[name];
  std::string text;
  for (const auto& [name, count] : counts)
    if (count >= std::min(fewest_includes, group.size())) text += "#include <" + name + ">\n";
  return text;
}

void make(const Sharers& group, const fs::path& header) {
  std::string const text = prelude_text(group);
  if (text.empty()) return;
  std::ofstream(header) << text;
  fs::path const precompiled = header.string() + ".pch";
  if (!precompile(group.front()->command, header, precompiled)) return;
  for (ParseRequest* unit : group) unit->prelude = precompiled;
}

}  // namespace

Preludes::Preludes(std::vector<ParseRequest>& units, unsigned jobs) : folder_(fs::path()) {
  auto const groups = groups_of(units);
  std::vector<const Sharers*> list;
  for (const auto& [flags, group] : groups) list.push_back(&group);
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::min<std::size_t>(std::max(1u, jobs), list.size()); ++i)
    workers.emplace_back([&] {
      for (std::size_t at = next++; at < list.size() && !gates::interrupted(); at = next++)
        make(*list[at], folder_.path() / ("prelude-" + std::to_string(at) + ".h"));
    });
}

}  // namespace redproof::mutants
