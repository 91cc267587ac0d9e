#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "engine/checkpoint/printable.h"
#include "engine/cli/commands.h"
#include "engine/cli/report.h"
#include "engine/serve/announcements.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/types/error.h"

namespace redproof::engine::cli {
namespace {

std::vector<std::int32_t> encoded(const Tokenizer& tokenizer, const std::string& prompt, std::size_t index) {
  try {
    return tokenizer.encode(prompt, true);
  } catch (const Refusal& refusal) {
    throw Refusal(fmt::format("prompt {}: {}", index, refusal.what()));
  }
}

std::vector<Completion> prompts_of(const Arguments& arguments, const std::optional<Tokenizer>& tokenizer) {
  std::vector<Completion> completions;
  for (const std::string& prompt : arguments.prompts)
    completions.push_back({prompt, encoded(*tokenizer, prompt, completions.size()), {}, {}});
  for (const auto& tokens : arguments.token_prompts) completions.push_back({{}, tokens, {}, {}});
  return completions;
}

std::string shown(const std::string& text) { return ::isatty(STDOUT_FILENO) == 1 ? terminal_text(text) : text; }

// Where there is no text, a line of token ids each. Text may hold any line, so that several need a heading each.
std::string completions_text(const std::vector<Completion>& completions, bool has_text) {
  std::string out;
  for (std::size_t i = 0; i < completions.size(); ++i) {
    if (has_text && completions.size() > 1) out += fmt::format("[prompt {}]\n", i);
    out += has_text ? shown(completions[i].text) : fmt::format("{}", fmt::join(completions[i].tokens, ","));
    out += '\n';
  }
  return out;
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

// The engine's own refusals come first: a prompt that cannot be encoded must not hide a KV dtype that is not routed. What is to be said
// waits until nothing is refused before the first forward pass.
std::string generate(const Arguments& arguments) {
  std::vector<std::string> lines;
  Engine engine = Engine::load(keeping(arguments.engine, lines));
  std::optional<Tokenizer> tokenizer;
  if (!arguments.prompts.empty()) tokenizer = Tokenizer::load(arguments.engine.model / "tokenizer.json");
  std::vector<Completion> completions = prompts_of(arguments, tokenizer);

  std::vector<std::vector<std::int32_t>> prompts;
  for (const Completion& completion : completions) prompts.push_back(completion.prompt_tokens);
  engine.check(prompts, arguments.max_tokens);
  announce(arguments.engine, lines);
  const auto generations = engine.generate(prompts, arguments.max_tokens, false, arguments.ignore_eos);
  for (std::size_t i = 0; i < completions.size(); ++i) {
    completions[i].tokens = generations[i].tokens;
    if (tokenizer) completions[i].text = tokenizer->decode(generations[i].tokens, true);
  }

  if (arguments.json) return completions_json(completions, engine.plan());
  return completions_text(completions, tokenizer.has_value());
}

}  // namespace redproof::engine::cli
