// Untrusted JSON, checked while it is read: size, depth, duplicate keys, UTF-8; every error names the file and the field.
#pragma once
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gates/runner/refusal.h"

namespace redproof::gates {

struct JsonLimits {
  std::uint64_t bytes = 64ull << 20;
  unsigned depth = 64;
  std::uint64_t values = 4000000;  // so that a small text cannot become a huge tree
};

struct JsonNode;  // the tree behind the views

// A view of one value. It stays valid while its JsonDocument lives. Every getter throws Refusal where the value is of another kind.
class JsonValue {
 public:
  JsonValue(const JsonNode& node, const std::string& file, std::string field);

  const std::string& file() const { return *file_; }
  const std::string& field() const { return field_; }  // e.g. laws[2].worst.error; empty for the root
  bool is_null() const;
  bool is_text() const;
  bool is_number() const;
  bool is_bool() const;
  bool is_list() const;
  bool is_object() const;

  std::string text() const;
  std::string nonempty_text() const;
  bool boolean() const;
  std::uint64_t natural(std::uint64_t most = UINT64_MAX) const;  // an integer 0..most; 1.0 and -0 are no integers
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  double number() const;           // finite
  double extended_number() const;  // finite, or one of the strings "nan", "inf", "-inf"

  std::vector<JsonValue> items() const;                                 // of a list
  std::vector<std::string> texts() const;                               // of a list of strings
  std::vector<std::pair<std::string, JsonValue>> members() const;       // of an object, in the order of the file
  JsonValue at(std::string_view key) const;                             // required member
  std::optional<JsonValue> find(std::string_view key) const;            // absent: nullopt (a null value is present)
  void allow_only(std::initializer_list<std::string_view> keys) const;  // refuses any other member by name

  // Throws Refusal("FILE: FIELD: what").
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  const JsonNode* node_;
  const std::string* file_;
  std::string field_;
};

class JsonDocument {
 public:
  // `file` is the name that errors use. Reading refuses what is no regular file.
  static JsonDocument read(const std::filesystem::path& path, JsonLimits limits = {});
  static JsonDocument parse(std::string_view text, std::string file, JsonLimits limits = {});
  JsonValue root() const;

 private:
  JsonDocument(std::shared_ptr<const JsonNode> node, std::shared_ptr<const std::string> file);
  std::shared_ptr<const JsonNode> node_;
  std::shared_ptr<const std::string> file_;
};

}  // namespace redproof::gates
