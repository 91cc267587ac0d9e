#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace redproof::engine::text {

// Reads a JSON document within the limits for untrusted input: 64 MiB, depth 64, no key twice in one object. Refusal otherwise.
nlohmann::json read_document(const std::filesystem::path& file);

// One value of a document, with its place in it: every complaint names file and field.
class Field {
 public:
  Field(const nlohmann::json& value, std::string file, std::string path = "");

  [[noreturn]] void refuse(std::string_view why) const;

  bool is_null() const;
  bool is_text() const;
  const std::string& text() const;  // lives as long as the document
  bool flag() const;
  std::int32_t index() const;  // 0 to 2^31 - 1
  bool flag_or(std::string_view key, bool absent) const;

  // Members of an object; elements of an array.
  std::optional<Field> find(std::string_view key) const;  // absent or null: nothing
  Field at(std::string_view key) const;
  void allow_only(std::initializer_list<std::string_view> keys) const;
  std::size_t elements() const;
  Field element(std::size_t position) const;
  const nlohmann::json& value() const { return *value_; }

 private:
  const nlohmann::json* value_;
  std::string file_;
  std::string path_;
};

}  // namespace redproof::engine::text
