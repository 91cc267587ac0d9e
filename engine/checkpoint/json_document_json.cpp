#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/checkpoint/json_document.h"
#include "engine/checkpoint/printable.h"
#include "engine/checkpoint/regular_file.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

using nlohmann::json;

[[noreturn]] void refuse_document(const std::string& document, const std::string& why) {
  throw Refusal(fmt::format("{}: {}", printable(document), why));
}

// Follows the parser through the nesting; throws at the first key that its object already has.
class Nesting {
 public:
  explicit Nesting(const std::string& document) : document_(document) {}

  void follow(json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) enter();
    if (event == Event::object_end || event == Event::array_end) levels_.pop_back();
    if (event == Event::key) add(parsed.get_ref<const std::string&>());
  }

  // Of the value that the parser stands at, "a.b": the last key of each object around it.
  std::string field() const {
    std::string path;
    for (const Level& level : levels_) {
      if (!level.last.empty()) path += (path.empty() ? "" : ".") + level.last;
    }
    return printable(path);
  }

 private:
  struct Level {
    std::unordered_set<std::string> keys;
    std::string last;
  };

  void enter() {
    if (levels_.size() >= static_cast<std::size_t>(json_limit_depth)) {
      refuse_document(document_, fmt::format("nested deeper than {} levels", json_limit_depth));
    }
    levels_.emplace_back();
  }

  void add(const std::string& key) {
    levels_.back().last = key;
    if (!levels_.back().keys.insert(key).second) refuse_document(document_, fmt::format("key \"{}\" twice in one object", printable(key)));
  }

  const std::string& document_;
  std::vector<Level> levels_;  // [depth]
};

void refuse_too_long(std::size_t bytes, const std::string& document) {
  if (bytes > json_limit_bytes) refuse_document(document, fmt::format("more than {} bytes of JSON", json_limit_bytes));
}

// The parser takes a NUL byte between two tokens for the end of its input, and says nothing of what follows. JSON has none anywhere.
void refuse_nul(std::string_view text, const std::string& document) {
  std::size_t const nul = text.find('\0');
  if (nul != std::string_view::npos) refuse_document(document, fmt::format("not JSON at byte {}", nul + 1));
}

}  // namespace

json parse_json(std::string_view text, const std::string& document) {
  refuse_too_long(text.size(), document);
  Nesting nesting(document);
  auto const follow = [&](int, json::parse_event_t event, json& parsed) {
    nesting.follow(event, parsed);
    return true;
  };
  try {
    json value = json::parse(text.begin(), text.end(), follow);
    refuse_nul(text, document);
    return value;
  } catch (const json::parse_error& error) {
    refuse_document(document, fmt::format("not JSON at byte {}", error.byte));
  } catch (const json::exception&) {
    std::string const field = nesting.field();
    refuse_document(document, (field.empty() ? "" : field + ": ") + "a number out of range");
  }
}

json read_json_file(const std::filesystem::path& file) {
  RegularFile const source(file);
  refuse_too_long(source.size(), file.string());
  return parse_json(source.read(), file.string());
}

std::string brief(const json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return printable(text);  // ASCII already, but DEL is not escaped by dump
}

JsonFields::JsonFields(const json& object, std::string document, std::string prefix)
    : object_(&object), document_(std::move(document)), prefix_(std::move(prefix)) {
  if (object.is_object()) return;
  std::string const where = prefix_.empty() ? "" : prefix_.substr(0, prefix_.size() - 1) + ": ";
  refuse_document(document_, fmt::format("{}{} is not an object", where, brief(object)));
}

bool JsonFields::mentions(const char* name) const { return object_->contains(name); }

bool JsonFields::has(const char* name) const { return !value(name).is_null(); }

const json& JsonFields::value(const char* name) const {
  static const json absent;
  auto const found = object_->find(name);
  return found == object_->end() ? absent : *found;
}

std::int64_t JsonFields::integer(const char* name, std::int64_t low, std::int64_t high, std::int64_t absent) const {
  const json& found = value(name);
  if (found.is_null()) return absent;
  bool const too_large = found.is_number_unsigned() && found.get<std::uint64_t>() > static_cast<std::uint64_t>(high);
  if (!found.is_number_integer() || too_large || found.get<std::int64_t>() < low || found.get<std::int64_t>() > high) {
    refuse(name, fmt::format("{} is not an integer from {} to {}", brief(found), low, high));
  }
  return found.get<std::int64_t>();
}

double JsonFields::number(const char* name, double absent) const {
  const json& found = value(name);
  if (found.is_null()) return absent;
  if (!found.is_number() || !std::isfinite(found.get<double>())) refuse(name, brief(found) + " is not a finite number");
  return found.get<double>();
}

bool JsonFields::boolean(const char* name, bool absent) const {
  const json& found = value(name);
  if (found.is_null()) return absent;
  if (!found.is_boolean()) refuse(name, brief(found) + " is neither true nor false");
  return found.get<bool>();
}

std::string JsonFields::text(const char* name, const std::string& absent) const {
  const json& found = value(name);
  if (found.is_null()) return absent;
  if (!found.is_string()) refuse(name, brief(found) + " is not a string");
  return found.get<std::string>();
}

JsonFields JsonFields::object(const char* name) const { return {value(name), document_, prefix_ + name + "."}; }

void JsonFields::refuse(const std::string& field, const std::string& why) const {
  throw Refusal(fmt::format("{}: {}{}: {}", printable(document_), printable(prefix_), printable(field), why));
}

}  // namespace redproof::engine
