#include "mutants/driver/plant/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace redproof::mutants {
namespace {

constexpr std::size_t context = 3;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

void add(std::string& hunk, char mark, std::string_view line) {
  hunk += mark;
  hunk += line;
  if (!line.ends_with('\n')) hunk += "\n\\ No newline at end of file\n";
}

// Edits keep the number of lines, so lines are compared in place.
std::string hunk_of(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after, std::size_t first,
                    std::size_t last) {
  std::size_t const begin = first > context ? first - context : 0;
  std::size_t const end = std::min(before.size(), last + 1 + context);
  std::string hunk = fmt::format("@@ -{0},{1} +{0},{1} @@\n", begin + 1, end - begin);
  for (std::size_t i = begin; i < end;) {
    std::size_t stop = i;
    while (stop < end && before[stop] != after[stop]) ++stop;
    for (std::size_t k = i; k < stop; ++k) add(hunk, '-', before[k]);
    for (std::size_t k = i; k < stop; ++k) add(hunk, '+', after[k]);
    if (stop == i) add(hunk, ' ', before[stop++]);
    i = stop;
  }
  return hunk;
}

// As git writes a name: quoted where it holds control characters, quotes or bytes beyond ASCII; a tab ends one with spaces.
std::string in_head(const std::string& path) {
  std::string quoted;
  for (char const c : path) {
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  if (quoted != path) return '"' + quoted + '"';
  return path.find(' ') == std::string::npos ? path : path + '\t';
}

}  // namespace

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  auto const old_lines = lines_of(before);
  auto const new_lines = lines_of(after);
  if (before == after || old_lines.size() != new_lines.size()) return {};
  std::string diff = fmt::format("--- {}\n+++ {}\n", in_head("a/" + path), in_head("b/" + path));
  for (std::size_t i = 0; i < old_lines.size(); ++i) {
    if (old_lines[i] == new_lines[i]) continue;
    std::size_t last = i;
    for (std::size_t k = i; k < old_lines.size() && k <= last + 2 * context; ++k)
      if (old_lines[k] != new_lines[k]) last = k;
    diff += hunk_of(old_lines, new_lines, i, last);
    i = last;
  }
  return diff;
}

std::string patch_of(const std::vector<MutatedFile>& files) {
  std::string patch;
  for (const MutatedFile& file : files) patch += unified_diff(file.path, file.before, file.after);
  return patch;
}

}  // namespace redproof::mutants
