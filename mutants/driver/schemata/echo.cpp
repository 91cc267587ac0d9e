#include "mutants/driver/schemata/echo.h"

#include <algorithm>
#include <cstring>

#include "gates/runner/refusal.h"
#include "gates/runner/write_file.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/schemata/runtime.h"

namespace redproof::mutants {
namespace {

// magic, limit, processes, active, hits, ticks, hung
constexpr std::size_t head_words = 7;

std::size_t words_of(unsigned functions) { return head_words + 2 * std::max(1u, functions); }

}  // namespace

void write_echo(const std::filesystem::path& path, unsigned functions, std::uint64_t limit) {
  std::vector<std::uint64_t> words(words_of(functions), 0);
  words[0] = echo_magic;
  words[1] = limit;
  gates::write_in_place(path, {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0])});
}

Echo read_echo(const std::filesystem::path& path, unsigned functions) {
  std::string const bytes = read_file(path);
  std::vector<std::uint64_t> words(words_of(functions), 0);
  if (bytes.size() != words.size() * sizeof(words[0])) throw gates::Refusal(path.string() + ": is not as long as it was made");
  std::memcpy(words.data(), bytes.data(), bytes.size());
  Echo echo{words[2], words[3], words[4], words[6] != 0, {}, {}};
  auto const at = words.begin() + head_words;
  auto const count = static_cast<std::ptrdiff_t>(std::max(1u, functions));
  echo.entered.assign(at, at + count);
  echo.ticked.assign(at + count, at + 2 * count);
  return echo;
}

}  // namespace redproof::mutants
