#include "properties/named_in_order.h"

namespace redproof::properties {

bool named_in_order(const std::string& text, const std::vector<std::string>& names) {
  std::size_t at = 0;
  for (const std::string& name : names) {
    at = text.find(name, at);
    if (at == std::string::npos) return false;
    at += name.size();
  }
  return true;
}

}  // namespace redproof::properties
