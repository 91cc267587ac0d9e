// What the catalogue says of gates that nobody runs now.
#pragma once
#include <string>
#include <vector>

#include "gates/runner/catalog.h"

namespace redproof::gates {

std::string human_listing(const std::vector<Gate>& gates);
std::string json_listing(const std::vector<Gate>& gates);
std::string human_page(const Gate& gate);

}  // namespace redproof::gates
