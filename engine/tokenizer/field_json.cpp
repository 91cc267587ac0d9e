#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "engine/tokenizer/field.h"
#include "engine/tokenizer/utf8.h"
#include "engine/types/error.h"

namespace redproof::engine::text {
namespace {

using nlohmann::json;

constexpr std::uintmax_t largest_document_bytes = 64U << 20;
constexpr int deepest = 64;

std::string read_bytes(const std::filesystem::path& file) {
  std::error_code error;
  std::uintmax_t const bytes = std::filesystem::file_size(file, error);
  if (error) throw Refusal(fmt::format("{}: {}", printable(file.string()), error.message()));
  if (bytes > largest_document_bytes) throw Refusal(fmt::format("{}: {} bytes, more than 64 MiB", printable(file.string()), bytes));
  std::string text(bytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  if (!in) throw Refusal(fmt::format("{}: cannot be read", printable(file.string())));
  return text;
}

// Sees the parser's events: refuses depth and duplicate keys, at one hash look-up a key.
class Watch {
 public:
  explicit Watch(std::string file) : file_(std::move(file)) {}

  bool operator()(int depth, json::parse_event_t event, const json& value) {
    bool const opens = event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (opens && depth >= deepest) throw Refusal(fmt::format("{}: nested deeper than {}", file_, deepest));
    if (event == json::parse_event_t::object_start) keys_.emplace_back();
    if (event == json::parse_event_t::object_end) keys_.pop_back();
    if (event == json::parse_event_t::key) {
      auto const& key = value.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) throw Refusal(fmt::format("{}: key \"{}\" stands twice in one object", file_, printable(key)));
    }
    return true;
  }

 private:
  std::string file_;
  std::vector<std::unordered_set<std::string>> keys_;  // of the objects that are open
};

}  // namespace

json read_document(const std::filesystem::path& file) {
  std::string const text = read_bytes(file);
  Watch watch(printable(file.string()));
  try {
    return json::parse(text, std::ref(watch));
  } catch (const json::parse_error& error) {
    throw Refusal(fmt::format("{}: not JSON at byte {}", printable(file.string()), error.byte));
  } catch (const json::out_of_range&) {
    throw Refusal(fmt::format("{}: a number is out of range", printable(file.string())));
  }
}

Field::Field(const json& value, std::string file, std::string path) : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

void Field::refuse(std::string_view why) const {
  throw Refusal(fmt::format("{}: {}{}{}", printable(file_), path_, path_.empty() ? "" : ": ", why));
}

bool Field::is_null() const { return value_->is_null(); }
bool Field::is_text() const { return value_->is_string(); }

const std::string& Field::text() const {
  if (!value_->is_string()) refuse(fmt::format("is {}, not a string", value_->type_name()));
  return value_->get_ref<const std::string&>();
}

bool Field::flag() const {
  if (!value_->is_boolean()) refuse(fmt::format("is {}, not true or false", value_->type_name()));
  return value_->get<bool>();
}

std::int32_t Field::index() const {
  if (!value_->is_number_unsigned()) refuse("is not a whole number of 0 or more");
  auto const number = value_->get<std::uint64_t>();
  if (number > INT32_MAX) refuse(fmt::format("{} is above 2^31 - 1", number));
  return static_cast<std::int32_t>(number);
}

bool Field::flag_or(std::string_view key, bool absent) const {
  auto const member = find(key);
  return member ? member->flag() : absent;
}

std::optional<Field> Field::find(std::string_view key) const {
  if (!value_->is_object()) refuse(fmt::format("is {}, not an object", value_->type_name()));
  auto const member = value_->find(key);
  if (member == value_->end() || member->is_null()) return std::nullopt;
  return Field(*member, file_, path_.empty() ? printable(key) : path_ + "." + printable(key));
}

Field Field::at(std::string_view key) const {
  auto member = find(key);
  if (!member) refuse(fmt::format("{} is missing", printable(key)));
  return *member;
}

void Field::allow_only(std::initializer_list<std::string_view> keys) const {
  if (!value_->is_object()) refuse(fmt::format("is {}, not an object", value_->type_name()));
  for (auto const& [key, member] : value_->items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) refuse(fmt::format("{} is not supported", printable(key)));
  }
}

std::size_t Field::elements() const {
  if (!value_->is_array()) refuse(fmt::format("is {}, not an array", value_->type_name()));
  return value_->size();
}

Field Field::element(std::size_t position) const { return Field((*value_)[position], file_, fmt::format("{}[{}]", path_, position)); }

}  // namespace redproof::engine::text
