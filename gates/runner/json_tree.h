// The tree behind JsonValue.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace redproof::gates {

struct JsonNode {
  using List = std::vector<JsonNode>;
  using Object = std::vector<std::pair<std::string, JsonNode>>;  // in the order of the file
  // Integers keep their sign: std::int64_t holds only negative ones.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List, Object> value = nullptr;
};

}  // namespace redproof::gates
