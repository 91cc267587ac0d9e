#include "engine/cli/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "engine/types/error.h"

namespace redproof::engine::cli {
namespace {

std::optional<std::int64_t> parsed(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::int64_t number_of(const std::string& option, std::string_view text, std::int64_t low, std::int64_t high) {
  const auto value = parsed(text);
  if (!value || *value < low || *value > high) throw Refusal(fmt::format("{}: '{}' is not in {} to {}", option, text, low, high));
  return *value;
}

std::int64_t memory_bytes(const std::string& option, const std::string& text) {
  std::string_view digits = text;
  std::int64_t unit = 1;
  for (const auto& [suffix, bytes] :
       {std::pair{"KiB", std::int64_t{1} << 10}, {"MiB", std::int64_t{1} << 20}, {"GiB", std::int64_t{1} << 30}}) {
    if (!digits.ends_with(suffix)) continue;
    digits.remove_suffix(3);
    unit = bytes;
    break;
  }
  const auto count = parsed(digits);
  if (count && *count >= 1 && *count <= std::numeric_limits<std::int64_t>::max() / unit) return *count * unit;
  throw Refusal(fmt::format("{}: '{}' is not a number of bytes, or of KiB, MiB or GiB, in 1 to {} bytes", option, text,
                            std::numeric_limits<std::int64_t>::max()));
}

std::vector<std::int32_t> token_ids(const std::string& option, std::string_view text) {
  std::vector<std::int32_t> ids;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto id = number_of(option, text.substr(begin, end - begin), 0, std::numeric_limits<std::int32_t>::max());
    ids.push_back(static_cast<std::int32_t>(id));
    begin = end + 1;
  }
  return ids;
}

}  // namespace redproof::engine::cli
