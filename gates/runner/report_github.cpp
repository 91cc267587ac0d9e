#include <fmt/format.h>

#include "gates/runner/printable.h"
#include "gates/runner/report.h"

namespace redproof::gates {

namespace {

// The workflow commands' own escapes; in a property also `:` and `,`. What is no text has been made printable before.
std::string escaped(const std::string& text, bool in_property) {
  std::string out;
  for (char const c : printable_block(text)) {
    bool const special = c == '%' || c == '\n' || (in_property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

std::string detail_of(const GateResult& result) {
  auto const* law = result.worst_law();
  if (result.verdict != Verdict::red || law == nullptr) return "";
  return fmt::format("\nwhere {}\ninputs {}\nobserved {}\ntruth {}\nerror {}, bound {}\nagain {}", law->worst->where, law->worst->inputs,
                     law->worst->observed, law->worst->truth, law->worst->error, law->worst->bound, law->reproduce);
}

std::string annotation(const GateResult& result, const Gate* gate) {
  std::string const file = gate == nullptr ? std::string() : fmt::format("gates/{}", gate->file.filename().string());
  std::string const level = result.verdict == Verdict::skipped ? "warning" : "error";
  std::string const title = fmt::format("gate {}: {}", result.id, word(result.verdict));
  return fmt::format("::{} file={},title={}::{}\n", level, escaped(file, true), escaped(title, true),
                     escaped(result.reason + detail_of(result), false));
}

}  // namespace

std::string github_report(const RunReport& report) {
  std::string text;
  for (auto const& result : report.results)
    if (!is_green(result.verdict)) text += annotation(result, gate_of(report, result.id));
  return text + closing_lines(report);
}

}  // namespace redproof::gates
