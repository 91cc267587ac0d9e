#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "engine/checkpoint/printable.h"
#include "engine/cli/commands.h"
#include "engine/cli/report.h"
#include "engine/tokenizer/tokenizer.h"

namespace redproof::engine::cli {
namespace {

std::vector<Completion> prompts_of(const Arguments& arguments, const std::optional<Tokenizer>& tokenizer) {
  std::vector<Completion> completions;
  for (const std::string& prompt : arguments.prompts) completions.push_back({prompt, tokenizer->encode(prompt, true), {}, {}});
  for (const auto& tokens : arguments.token_prompts) completions.push_back({{}, tokens, {}, {}});
  return completions;
}

// Token ids where there is no text.
std::string completion_text(const Completion& completion, bool has_text) {
  if (!has_text) return fmt::format("{}\n", fmt::join(completion.tokens, ","));
  return (::isatty(STDOUT_FILENO) == 1 ? terminal_text(completion.text) : completion.text) + "\n";
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    out += printable(text.substr(0, end));
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The engine's own refusals come first: a prompt that cannot be encoded must not hide a KV dtype that is not routed.
std::string generate(const Arguments& arguments) {
  Engine engine = Engine::load(arguments.engine);
  std::optional<Tokenizer> tokenizer;
  if (!arguments.prompts.empty()) tokenizer = Tokenizer::load(arguments.engine.model / "tokenizer.json");
  std::vector<Completion> completions = prompts_of(arguments, tokenizer);

  std::vector<std::vector<std::int32_t>> prompts;
  for (const Completion& completion : completions) prompts.push_back(completion.prompt_tokens);
  const auto generations = engine.generate(prompts, arguments.max_tokens, false, arguments.ignore_eos);
  for (std::size_t i = 0; i < completions.size(); ++i) {
    completions[i].tokens = generations[i].tokens;
    if (tokenizer) completions[i].text = tokenizer->decode(generations[i].tokens, true);
  }

  if (arguments.json) return completions_json(completions, engine.plan());
  std::string out;
  for (const Completion& completion : completions) out += completion_text(completion, tokenizer.has_value());
  return out;
}

}  // namespace redproof::engine::cli
