#include "gates/runner/option_values.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <system_error>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"

namespace redproof::gates {

namespace {

constexpr std::size_t shown_bytes = 80;

// The whole text as a number; false where it is none, or one that does not fit.
template <typename Number>
bool read_whole(const std::string& text, Number& number) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename Number>
std::string wrong_number(const std::string& text, const char* kind, Number least, Number most) {
  return fmt::format("\"{}\" is no {} from {} to {}", printable(text, shown_bytes), kind, least, most);
}

}  // namespace

std::string no_word(const std::string& text) { return text.empty() ? "is empty" : ""; }

std::string no_natural(const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  bool const octal = text.size() > 1 && text.starts_with('0');
  bool const fits = !octal && read_whole(text, number) && number >= least && number <= most;
  return fits ? "" : wrong_number(text, "integer", least, most);
}

std::string no_decimal(const std::string& text, double least, double most) {
  double number = 0;
  bool const digits = text.find_first_not_of("0123456789.eE+-") == std::string::npos && !text.starts_with('-');
  bool const fits = digits && read_whole(text, number) && number >= least && number <= most;
  return fits ? "" : wrong_number(text, "number", least, most);
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

void refuse_empty_assignments(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view const word(argv[i]);
    if (word == "--") return;
    if (word.starts_with('-') && word.find('=') == word.size() - 1)
      throw Refusal(fmt::format("{}: is empty", printable(word, shown_bytes)));
  }
}

}  // namespace redproof::gates
