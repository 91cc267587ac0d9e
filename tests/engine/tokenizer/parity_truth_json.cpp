#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/engine/tokenizer/parity_truth.h"

namespace redproof::tests {
namespace {

ParityCase read_case(const nlohmann::json& value) {
  ParityCase one;
  value.at("text").get_to(one.text);
  value.at("ids").get_to(one.ids);
  one.decodes = value.contains("decoded");
  if (!one.decodes) return one;
  value.at("ids_with_special").get_to(one.ids_with_special);
  value.at("half").get_to(one.half);
  value.at("decoded").at(0).get_to(one.decoded);
  value.at("decoded").at(1).get_to(one.decoded_without_special);
  return one;
}

}  // namespace

std::vector<ParityTokenizer> read_parity_truth(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<ParityTokenizer> all;
  for (auto const& value : nlohmann::json::parse(in)) {
    ParityTokenizer one{value.at("name"), value.at("file").get<std::string>(), value.at("vocab_size"), {}};
    for (auto const& entry : value.at("cases")) one.cases.push_back(read_case(entry));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace redproof::tests
