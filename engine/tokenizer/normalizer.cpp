#include "engine/tokenizer/normalizer.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "engine/types/error.h"

namespace redproof::engine::text {
namespace {

struct Free {
  void operator()(utf8proc_uint8_t* value) const { std::free(value); }
};

// Below U+0300 nothing combines and everything is composed already; UTF-8 of U+0300 begins with 0xCC.
bool is_plainly_composed(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0xCC; });
}

}  // namespace

std::string normalize(std::string_view text, Normalization form) {
  if (form == Normalization::none || is_plainly_composed(text)) return std::string(text);
  utf8proc_uint8_t* composed = nullptr;
  auto const options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  utf8proc_ssize_t const bytes =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()), &composed, options);
  std::unique_ptr<utf8proc_uint8_t, Free> const owner(composed);
  if (bytes < 0) throw Refusal(fmt::format("tokenizer.json: normalizer: NFC fails on this text: {}", utf8proc_errmsg(bytes)));
  return {reinterpret_cast<const char*>(composed), static_cast<std::size_t>(bytes)};
}

}  // namespace redproof::engine::text
