#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace redproof::engine {

inline constexpr std::size_t json_limit_bytes = std::size_t{64} << 20;
inline constexpr int json_limit_depth = 64;

// The one door through which the checkpoint's JSON comes in. Refusal, naming the document: more than json_limit_bytes, nested deeper than
// json_limit_depth, a key twice in one object, no JSON at all, any byte after it, or a file that is not a regular one.
nlohmann::json parse_json(std::string_view text, const std::string& document);
nlohmann::json read_json_file(const std::filesystem::path& file);

// A value as it may stand in a message: one line, ASCII, cut at 60 characters.
std::string brief(const nlohmann::json& value);

// The fields of one JSON object, which the view borrows. Every getter refuses a value of another type or out of range, naming document
// and field. null counts as absent.
class JsonFields {
 public:
  JsonFields(const nlohmann::json& object, std::string document, std::string prefix = "");

  bool mentions(const char* name) const;                // the key is there, be it null
  bool has(const char* name) const;                     // the key is there and not null
  const nlohmann::json& value(const char* name) const;  // null where absent
  std::int64_t integer(const char* name, std::int64_t low, std::int64_t high, std::int64_t absent) const;
  double number(const char* name, double absent) const;  // finite
  bool boolean(const char* name, bool absent) const;
  std::string text(const char* name, const std::string& absent) const;
  JsonFields object(const char* name) const;  // Refusal where absent
  [[noreturn]] void refuse(const std::string& field, const std::string& why) const;

 private:
  const nlohmann::json* object_;
  std::string document_;
  std::string prefix_;
};

}  // namespace redproof::engine
