#include "mutants/driver/report/place.h"

#include <algorithm>
#include <string_view>

namespace redproof::mutants {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// What lies beyond the first plane takes two units.
std::size_t utf16_units(std::string_view text) {
  std::size_t units = 0;
  for (char const c : text) units += continues_character(c) ? 0 : (static_cast<unsigned char>(c) >= 0xF0U ? 2 : 1);
  return units;
}

void count(const std::string& text, std::size_t offset, std::size_t& line, std::size_t& column) {
  std::string_view const before = std::string_view(text).substr(0, offset);
  auto const line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  column = 1 + utf16_units(before.substr(line_start));
}

}  // namespace

Place place_of(const MutatedFile& file) {
  const std::string& before = file.before;
  const std::string& after = file.after;
  auto const shorter = std::min(before.size(), after.size());
  std::size_t first = 0, behind = 0;
  while (first < shorter && before[first] == after[first]) ++first;
  while (behind < shorter - first && before[before.size() - 1 - behind] == after[after.size() - 1 - behind]) ++behind;
  // Whole characters on both ends.
  while (first > 0 && first < before.size() && continues_character(before[first])) --first;
  while (behind > 0 && continues_character(before[before.size() - behind])) --behind;
  Place place;
  count(before, first, place.first_line, place.first_column);
  count(before, before.size() - behind, place.last_line, place.last_column);
  place.replacement = after.substr(first, after.size() - behind - first);
  return place;
}

}  // namespace redproof::mutants
