#include "properties/same_logits.h"

#include <cstring>

namespace redproof::properties {
namespace {

void check_step(const std::vector<float>& observed, const std::vector<float>& truth, const std::string& where, const std::string& inputs,
                Tally& tally) {
  tally.count("logits", truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (tally.equal(std::memcmp(&observed.at(i), &truth[i], sizeof(float)) == 0)) {
      tally.witness({where + " logit " + std::to_string(i), inputs, std::to_string(observed[i]), std::to_string(truth[i])});
    }
  }
}

}  // namespace

void check_same_logits(const std::vector<engine::Generation>& observed, const std::vector<engine::Generation>& truth,
                       const std::string& inputs, Tally& tally) {
  for (std::size_t prompt = 0; prompt < truth.size(); ++prompt) {
    for (std::size_t step = 0; step < truth[prompt].logits.size(); ++step) {
      check_step(observed.at(prompt).logits.at(step), truth[prompt].logits[step],
                 "prompt " + std::to_string(prompt) + " step " + std::to_string(step), inputs, tally);
    }
  }
}

}  // namespace redproof::properties
