#pragma once
#include <optional>
#include <string_view>

namespace redproof::gates {

// In the order of design: only green and attested are green.
enum class Verdict { green, attested, red, vacuous, skipped, unattested, broken };

std::string_view word(Verdict verdict);
std::optional<Verdict> verdict_of(std::string_view word);
bool is_green(Verdict verdict);
// The exit code of a run with this verdict: 0, 2 or 8.
int exit_code_of(Verdict verdict);

}  // namespace redproof::gates
