#include "gates/runner/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gates/runner/json_tree.h"
#include "gates/runner/parse_json.h"
#include "gates/runner/printable.h"
#include "gates/runner/read_file.h"

namespace redproof::gates {

JsonValue::JsonValue(const JsonNode& node, const std::string& file, std::string field)
    : node_(&node), file_(&file), field_(std::move(field)) {}

bool JsonValue::is_null() const { return std::holds_alternative<std::nullptr_t>(node_->value); }
bool JsonValue::is_text() const { return std::holds_alternative<std::string>(node_->value); }
bool JsonValue::is_bool() const { return std::holds_alternative<bool>(node_->value); }
bool JsonValue::is_list() const { return std::holds_alternative<JsonNode::List>(node_->value); }
bool JsonValue::is_object() const { return std::holds_alternative<JsonNode::Object>(node_->value); }
bool JsonValue::is_number() const {
  return std::holds_alternative<std::int64_t>(node_->value) || std::holds_alternative<std::uint64_t>(node_->value) ||
         std::holds_alternative<double>(node_->value);
}

void JsonValue::refuse(const std::string& what) const {
  throw Refusal(fmt::format("{}: {}: {}", printable(*file_), field_.empty() ? "(root)" : printable(field_, 200), what));
}

std::string JsonValue::text() const {
  if (auto const* value = std::get_if<std::string>(&node_->value)) return *value;
  refuse("must be a string");
}

std::string JsonValue::nonempty_text() const {
  auto value = text();
  if (value.empty()) refuse("must not be empty");
  return value;
}

bool JsonValue::boolean() const {
  if (auto const* value = std::get_if<bool>(&node_->value)) return *value;
  refuse("must be true or false");
}

std::uint64_t JsonValue::natural(std::uint64_t most) const {
  auto const* value = std::get_if<std::uint64_t>(&node_->value);
  if (value == nullptr) refuse("must be an integer that is not negative");
  if (*value > most) refuse(fmt::format("must be at most {}", most));
  return *value;
}

std::int64_t JsonValue::integer(std::int64_t least, std::int64_t most) const {
  auto const* negative = std::get_if<std::int64_t>(&node_->value);
  if (negative == nullptr && !std::holds_alternative<std::uint64_t>(node_->value)) refuse("must be an integer");
  auto const value = negative != nullptr
                         ? *negative
                         : static_cast<std::int64_t>(natural(static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
  if (value < least || value > most) refuse(fmt::format("must be between {} and {}", least, most));
  return value;
}

double JsonValue::number() const {
  if (auto const* value = std::get_if<double>(&node_->value)) return *value;
  if (auto const* value = std::get_if<std::uint64_t>(&node_->value)) return static_cast<double>(*value);
  if (auto const* value = std::get_if<std::int64_t>(&node_->value)) return static_cast<double>(*value);
  refuse("must be a number");
}

double JsonValue::extended_number() const {
  if (!is_text()) return number();
  auto const word = text();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  refuse("must be a number, \"nan\", \"inf\" or \"-inf\"");
}

std::vector<JsonValue> JsonValue::items() const {
  auto const* list = std::get_if<JsonNode::List>(&node_->value);
  if (list == nullptr) refuse("must be a list");
  std::vector<JsonValue> values;
  values.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) values.emplace_back((*list)[i], *file_, fmt::format("{}[{}]", field_, i));
  return values;
}

std::vector<std::string> JsonValue::texts() const {
  std::vector<std::string> values;
  for (auto const& item : items()) values.push_back(item.text());
  return values;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  auto const* object = std::get_if<JsonNode::Object>(&node_->value);
  if (object == nullptr) refuse("must be an object");
  std::vector<std::pair<std::string, JsonValue>> values;
  values.reserve(object->size());
  for (auto const& [key, node] : *object)
    values.emplace_back(key, JsonValue(node, *file_, field_.empty() ? key : fmt::format("{}.{}", field_, key)));
  return values;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  auto const* object = std::get_if<JsonNode::Object>(&node_->value);
  if (object == nullptr) refuse("must be an object");
  auto const member = std::find_if(object->begin(), object->end(), [&](const auto& entry) { return entry.first == key; });
  if (member == object->end()) return std::nullopt;
  return JsonValue(member->second, *file_, field_.empty() ? std::string(key) : fmt::format("{}.{}", field_, key));
}

JsonValue JsonValue::at(std::string_view key) const {
  if (auto value = find(key)) return *value;
  refuse(fmt::format("\"{}\" is missing", key));
}

void JsonValue::allow_only(std::initializer_list<std::string_view> keys) const {
  auto const* object = std::get_if<JsonNode::Object>(&node_->value);
  if (object == nullptr) refuse("must be an object");
  for (auto const& member : *object) {
    if (std::find(keys.begin(), keys.end(), member.first) == keys.end())
      refuse(fmt::format("unknown key \"{}\"", printable(member.first, 80)));
  }
}

JsonDocument::JsonDocument(std::shared_ptr<const JsonNode> node, std::shared_ptr<const std::string> file)
    : node_(std::move(node)), file_(std::move(file)) {}

JsonDocument JsonDocument::parse(std::string_view text, std::string file, JsonLimits limits) {
  if (text.size() > limits.bytes) throw Refusal(fmt::format("{}: larger than {} bytes", printable(file), limits.bytes));
  auto node = std::make_shared<const JsonNode>(parse_json(text, printable(file), limits));
  return JsonDocument(std::move(node), std::make_shared<const std::string>(std::move(file)));
}

JsonDocument JsonDocument::read(const std::filesystem::path& path, JsonLimits limits) {
  return parse(read_file(path, limits.bytes), path.string(), limits);
}

JsonValue JsonDocument::root() const { return JsonValue(*node_, *file_, ""); }

}  // namespace redproof::gates
