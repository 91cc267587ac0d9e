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

void check_count(const std::string& where, const std::string& inputs, std::size_t observed, std::size_t truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, std::to_string(observed), std::to_string(truth)});
}

void check_token(std::int32_t observed, std::int32_t truth, const std::vector<float>& logits, const std::string& where,
                 const std::string& inputs, Tally& tally) {
  tally.count("tokens");
  if (tally.equal(observed == truth)) tally.witness({where + " token", inputs, std::to_string(observed), std::to_string(truth)});
  std::int32_t const greedy = lowest_argmax(logits);
  if (tally.equal(observed == greedy)) {
    tally.witness({where + " token against its logits", inputs, std::to_string(observed), std::to_string(greedy)});
  }
}

}  // namespace

std::int32_t lowest_argmax(std::span<const float> logits) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < logits.size(); ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  return static_cast<std::int32_t>(best);
}

void check_same_logits(const std::vector<engine::Generation>& observed, const std::vector<engine::Generation>& truth,
                       const std::string& inputs, Tally& tally) {
  check_count("prompts", inputs, observed.size(), truth.size(), tally);
  for (std::size_t prompt = 0; prompt < truth.size(); ++prompt) {
    std::string const of_prompt = "prompt " + std::to_string(prompt);
    check_count(of_prompt + ", tokens", inputs, observed.at(prompt).tokens.size(), truth[prompt].tokens.size(), tally);
    for (std::size_t step = 0; step < truth[prompt].logits.size(); ++step) {
      std::string const where = of_prompt + " step " + std::to_string(step);
      auto const& logits = observed.at(prompt).logits.at(step);
      check_step(logits, truth[prompt].logits[step], where, inputs, tally);
      check_token(observed[prompt].tokens.at(step), truth[prompt].tokens.at(step), logits, where, inputs, tally);
    }
  }
}

}  // namespace redproof::properties
