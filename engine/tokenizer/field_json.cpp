#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/checkpoint/json_document.h"
#include "engine/tokenizer/field.h"
#include "engine/tokenizer/utf8.h"
#include "engine/types/error.h"

namespace redproof::engine::text {
using nlohmann::json;

json read_document(const std::filesystem::path& file) { return read_json_file(file); }

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
