#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/serve/engine.h"

namespace redproof::engine::cli {

enum class Command : std::uint8_t { generate, inspect, bench };

struct Arguments {
  Command command;
  EngineOptions engine;
  bool json = false;
  std::vector<std::string> prompts;                      // text
  std::vector<std::vector<std::int32_t>> token_prompts;  // token ids, instead of text
  std::int64_t max_tokens = 64;
  bool ignore_eos = false;
  std::int64_t prompt_tokens = 128;  // bench
};

// Text where that is all that was asked for: --help, --version. Refusal: a command line that says nothing sensible.
std::variant<Arguments, std::string> parse_arguments(int argc, char** argv);

}  // namespace redproof::engine::cli
