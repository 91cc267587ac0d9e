#include "gates/runner/verdict_words.h"

#include <algorithm>
#include <array>

#include "gates/runner/exit_code.h"

namespace redproof::gates {

namespace {

constexpr std::array<std::string_view, 7> words = {"green", "attested", "red", "vacuous", "skipped", "unattested", "broken"};

}  // namespace

std::string_view word(Verdict verdict) { return words.at(static_cast<std::size_t>(verdict)); }

std::optional<Verdict> verdict_of(std::string_view text) {
  auto const at = std::find(words.begin(), words.end(), text);
  if (at == words.end()) return std::nullopt;
  return static_cast<Verdict>(at - words.begin());
}

bool is_green(Verdict verdict) { return verdict == Verdict::green || verdict == Verdict::attested; }

int exit_code_of(Verdict verdict) {
  if (is_green(verdict)) return exit_as_declared;
  return verdict == Verdict::red ? exit_red : exit_no_evidence;
}

}  // namespace redproof::gates
