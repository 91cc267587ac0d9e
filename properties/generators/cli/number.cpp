#include "properties/generators/cli/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "engine/cli/number.h"
#include "engine/types/error.h"

namespace redproof::properties::cli {
namespace {

using engine::Refusal;

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Takes each value of a list.
template <class Take>
void each(const std::vector<std::string>& words, const Take& take) {
  for (const std::string& word : words) {
    for (std::size_t begin = 0; begin <= word.size();) {
      const std::size_t end = std::min(word.find(',', begin), word.size());
      take(word.substr(begin, end - begin));
      begin = end + 1;
    }
  }
}

}  // namespace

std::uint64_t seed_of(const std::string& option, const std::string& text) {
  const auto value = parsed<std::uint64_t>(text);
  if (!value) throw Refusal(fmt::format("{}: '{}' is not in 0 to {}", option, text, std::numeric_limits<std::uint64_t>::max()));
  return *value;
}

double real_above(const std::string& option, const std::string& text, double low) {
  const auto value = parsed<double>(text);
  if (!value || !std::isfinite(*value) || !(*value > low)) {
    throw Refusal(fmt::format("{}: '{}' is no finite number above {}", option, text, low));
  }
  return *value;
}

std::vector<int> whole_numbers(const std::string& option, const std::vector<std::string>& words, int low, int high) {
  std::vector<int> values;
  each(words, [&](const std::string& text) { values.push_back(static_cast<int>(engine::cli::number_of(option, text, low, high))); });
  return values;
}

std::vector<float> reals(const std::string& option, const std::vector<std::string>& words) {
  std::vector<float> values;
  each(words, [&](const std::string& text) {
    const auto value = parsed<float>(text);
    if (!value) throw Refusal(fmt::format("{}: '{}' is no float32 number", option, text));
    values.push_back(*value);
  });
  return values;
}

}  // namespace redproof::properties::cli
