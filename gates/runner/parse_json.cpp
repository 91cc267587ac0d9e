#include "gates/runner/parse_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "gates/runner/printable.h"

namespace redproof::gates {

namespace {

using Sax = nlohmann::json_sax<nlohmann::json>;

// Builds the tree without recursion and without hashing: an object's keys are sorted once, when it closes.
class TreeBuilder : public Sax {
 public:
  TreeBuilder(const std::string& file, const JsonLimits& limits) : file_(file), limits_(limits) {}

  bool null() override { return set(nullptr); }
  bool boolean(bool value) override { return set(value); }
  bool number_integer(number_integer_t value) override { return set(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override { return set(std::uint64_t{value}); }
  bool number_float(number_float_t value, const string_t&) override { return set(value); }
  bool string(string_t& value) override { return set(std::move(value)); }
  bool binary(binary_t&) override { return refuse("holds binary data"); }
  bool start_object(std::size_t) override { return open<JsonNode::Object>(); }
  bool start_array(std::size_t) override { return open<JsonNode::List>(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    std::get<JsonNode::Object>(open_.back()->value).emplace_back().first = std::move(name);
    return true;
  }

  bool end_object() override {
    refuse_duplicates(std::get<JsonNode::Object>(open_.back()->value));
    return close();
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) override {
    bool const range = dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr;
    return refuse(fmt::format("{} at byte {}", range ? "a number out of range" : "no valid JSON", position));
  }

  JsonNode take() { return std::move(root_); }

 private:
  bool refuse(const std::string& what) { throw Refusal(fmt::format("{}: {}", file_, what)); }

  JsonNode& place() {
    if (++values_ > limits_.values) refuse(fmt::format("holds more than {} values", limits_.values));
    if (open_.empty()) return root_;
    if (auto* object = std::get_if<JsonNode::Object>(&open_.back()->value)) return object->back().second;
    return std::get<JsonNode::List>(open_.back()->value).emplace_back();
  }

  template <typename Value>
  bool set(Value value) {
    place().value.emplace<Value>(std::move(value));
    return true;
  }

  // Pointers stay valid: a container grows only while it is the innermost open one.
  template <typename Container>
  bool open() {
    if (open_.size() >= limits_.depth) return refuse(fmt::format("deeper than {} levels", limits_.depth));
    JsonNode& at = place();
    at.value.emplace<Container>();
    open_.push_back(&at);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  void refuse_duplicates(const JsonNode::Object& object) {
    std::vector<std::string_view> keys;
    keys.reserve(object.size());
    for (auto const& member : object) keys.emplace_back(member.first);
    std::sort(keys.begin(), keys.end());
    auto const twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice != keys.end()) refuse(fmt::format("the key \"{}\" is there twice", printable(*twice, 80)));
  }

  const std::string& file_;
  const JsonLimits& limits_;
  std::uint64_t values_ = 0;
  JsonNode root_;
  std::vector<JsonNode*> open_;
};

}  // namespace

JsonNode parse_json(std::string_view text, const std::string& file, const JsonLimits& limits) {
  // The library's lexer takes a null character for the end of the text. JSON allows none anywhere.
  auto const null = text.find('\0');
  if (null != std::string_view::npos) throw Refusal(fmt::format("{}: no valid JSON at byte {}", file, null + 1));
  TreeBuilder builder(file, limits);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) throw Refusal(file + ": no valid JSON");
  return builder.take();
}

}  // namespace redproof::gates
