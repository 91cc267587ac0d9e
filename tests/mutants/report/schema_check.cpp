#include "tests/mutants/report/schema_check.h"

#include <algorithm>
#include <regex>
#include <set>

#include "gates/runner/json_document.h"

namespace redproof::mutants::test {
namespace {

using gates::JsonValue;

const std::set<std::string> silent{"$schema", "$id", "title", "description", "examples", "definitions", "format"};

bool is_integer(const JsonValue& value) {
  return value.is_number() && value.number() == static_cast<double>(static_cast<long long>(value.number()));
}

bool is_a(const JsonValue& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_list();
  if (type == "string") return value.is_text();
  if (type == "number") return value.is_number();
  if (type == "integer") return is_integer(value);
  if (type == "boolean") return value.is_bool();
  return type == "null" && value.is_null();
}

class Check {
 public:
  explicit Check(const JsonValue& root) : root_(root) {}

  void value(const JsonValue& value, const JsonValue& schema, const std::string& path) {
    for (const auto& [keyword, rule] : schema.members()) keyword_holds(keyword, rule, value, schema, path);
  }

  std::vector<std::string> found;

 private:
  void add(const std::string& path, const std::string& what) { found.push_back(path + ": " + what); }

  void keyword_holds(const std::string& keyword, const JsonValue& rule, const JsonValue& value, const JsonValue& schema,
                     const std::string& path) {
    if (silent.contains(keyword)) return;
    if (keyword == "$ref") return reference(rule.text(), value, path);
    if (keyword == "anyOf") return any_of(rule, value, path);
    if (keyword == "type" && !is_a(value, rule.text())) return add(path, "is no " + rule.text());
    if (keyword == "enum" && !is_one_of(value, rule)) return add(path, "is none of the words");
    if (keyword == "pattern" && value.is_text() && !std::regex_search(value.text(), std::regex(rule.text()))) add(path, "does not fit");
    if (keyword == "minimum" && value.is_number() && value.number() < rule.number()) add(path, "is too small");
    if (keyword == "maximum" && value.is_number() && value.number() > rule.number()) add(path, "is too large");
    if (keyword == "required" && value.is_object()) required(rule, value, path);
    if (keyword == "properties" && value.is_object()) properties(rule, value, path);
    if (keyword == "additionalProperties" && value.is_object()) others(rule, schema, value, path);
    if (keyword == "items" && value.is_list())
      for (const JsonValue& item : value.items()) this->value(item, rule, path + "[]");
    static const std::set<std::string> known{
        "type", "enum", "pattern", "minimum", "maximum", "required", "items", "properties", "additionalProperties", "uniqueItems"};
    if (!known.contains(keyword)) add(path, "the schema's " + keyword + " is not known");
  }

  static bool is_one_of(const JsonValue& value, const JsonValue& words) {
    auto const texts = words.texts();
    return value.is_text() && std::find(texts.begin(), texts.end(), value.text()) != texts.end();
  }

  void reference(const std::string& name, const JsonValue& value, const std::string& path) {
    std::string const prefix = "#/definitions/";
    if (!name.starts_with(prefix)) return add(path, "the schema's " + name + " is not known");
    this->value(value, root_.at("definitions").at(name.substr(prefix.size())), path);
  }

  void any_of(const JsonValue& choices, const JsonValue& value, const std::string& path) {
    for (const JsonValue& choice : choices.items()) {
      Check one(root_);
      one.value(value, choice, path);
      if (one.found.empty()) return;
    }
    add(path, "fits none of the choices");
  }

  void required(const JsonValue& names, const JsonValue& value, const std::string& path) {
    for (const std::string& name : names.texts())
      if (!value.find(name)) add(path, name + " is missing");
  }

  void properties(const JsonValue& rules, const JsonValue& value, const std::string& path) {
    for (const auto& [name, rule] : rules.members())
      if (auto const member = value.find(name)) this->value(*member, rule, path + "." + name);
  }

  void others(const JsonValue& rule, const JsonValue& schema, const JsonValue& value, const std::string& path) {
    auto const known = schema.find("properties");
    for (const auto& [name, member] : value.members()) {
      if (known && known->find(name)) continue;
      if (!rule.is_bool())
        this->value(member, rule, path + "." + name);
      else if (!rule.boolean())
        add(path, name + " is not in the schema");
    }
  }

  const JsonValue& root_;
};

}  // namespace

std::vector<std::string> violations(const std::string& document, const std::string& schema) {
  auto const read = gates::JsonDocument::parse(document, "document");
  auto const rules = gates::JsonDocument::parse(schema, "schema");
  JsonValue const root = rules.root();
  Check check(root);
  check.value(read.root(), root, "document");
  return check.found;
}

}  // namespace redproof::mutants::test
