// Every option of the command line arrives in the field that the engine or the command reads, for each command that takes it, and moves
// no other: those too whose values change no output. What --kv-cache-dtype decides has a gate of its own.
#include <functional>
#include <map>

#include "engine/cli/arguments.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::cli::Arguments;
using Fields = std::map<std::string, std::string>;

std::string text_of(const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : "unset"; }

Fields fields_of(const Arguments& arguments) {
  auto const& engine = arguments.engine;
  std::string ids;
  for (auto const& prompt : arguments.token_prompts) {
    for (auto const id : prompt) ids += std::to_string(id) + ",";
    ids += ";";
  }
  return {{"model", engine.model.string()},
          {"kv_cache_dtype", engine.kv_cache_dtype},
          {"num_blocks", text_of(engine.pool.num_blocks)},
          {"memory_bytes", text_of(engine.pool.memory_bytes)},
          {"block_tokens", std::to_string(engine.block_tokens)},
          {"chunk_tokens", std::to_string(engine.chunk_tokens)},
          {"threads", std::to_string(engine.cpu.threads)},
          {"isa", engine.cpu.isa == engine::CpuIsa::scalar ? "scalar" : "avx2"},
          {"json", arguments.json ? "yes" : "no"},
          {"max_tokens", std::to_string(arguments.max_tokens)},
          {"prompt_tokens", std::to_string(arguments.prompt_tokens)},
          {"ignore_eos", arguments.ignore_eos ? "yes" : "no"},
          {"token_prompts", ids}};
}

Fields parsed(const std::vector<std::string>& words) {
  std::vector<std::string> line = {"engine"};
  line.insert(line.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (auto& word : line) argv.push_back(word.data());
  argv.push_back(nullptr);
  auto const result = engine::cli::parse_arguments(static_cast<int>(line.size()), argv.data());
  auto const* const arguments = std::get_if<Arguments>(&result);
  return arguments == nullptr ? Fields{} : fields_of(*arguments);
}

struct Option {
  std::vector<std::string> typed;
  const char* field;
  const char* value;
  std::vector<std::string> commands;
};

const std::vector<Option>& options() {
  static const std::vector<std::string> every = {"generate", "inspect", "bench"};
  static const std::vector<std::string> running = {"generate", "bench"};
  static const std::vector<Option> all = {
      {{"--num-blocks", "37"}, "num_blocks", "37", every},
      {{"--kv-cache-memory", "61MiB"}, "memory_bytes", "63963136", every},
      {{"--kv-cache-memory", "2147483647"}, "memory_bytes", "2147483647", every},
      {{"--kv-cache-memory", "8589934591GiB"}, "memory_bytes", "9223372035781033984", every},
      {{"--block-size", "5"}, "block_tokens", "5", every},
      {{"--threads", "3"}, "threads", "3", running},
      {{"--threads", "1024"}, "threads", "1024", running},
      {{"--isa", "scalar"}, "isa", "scalar", running},
      {{"--chunk-tokens", "7"}, "chunk_tokens", "7", running},
      {{"--chunk-tokens", "1048576"}, "chunk_tokens", "1048576", running},
      {{"--max-tokens", "11"}, "max_tokens", "11", running},
      {{"--format", "json"}, "json", "yes", running},
      {{"--json"}, "json", "yes", {"inspect"}},
      {{"--prompt-tokens", "9"}, "prompt_tokens", "9", {"bench"}},
      {{"--ignore-eos"}, "ignore_eos", "yes", {"generate"}},
      {{"--tokens", "4,0"}, "token_prompts", "1,2,;4,0,;", {"generate"}},
  };
  return all;
}

void check_option(const std::string& command, const Option& option, Tally& tally) {
  std::vector<std::string> line = {command, "--model", "somewhere"};
  if (command == "generate") line.insert(line.end(), {"--tokens", "1,2"});
  Fields truth = parsed(line);
  truth[option.field] = option.value;
  std::string typed = command;
  for (auto const& word : option.typed) {
    line.push_back(word);
    typed += " " + word;
  }
  Fields const observed = parsed(line);
  tally.count("options");
  for (auto const& [field, value] : truth) {
    auto const found = observed.find(field);
    std::string const seen = found == observed.end() ? "absent" : found->second;
    if (tally.equal(seen == value)) tally.witness({field, typed, seen, value});
  }
}

}  // namespace

LawVerdict arguments_reach_options() {
  Law law{"arguments_reach_options", "cpu", "exact: every field, as typed or as it was without the option"};
  law.floors = {{"options", 32}};
  law.separates = {"flag/chunk_tokens_not_taken", "flag/threads_not_taken"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& option : options()) {
      for (auto const& command : option.commands) check_option(command, option, tally);
    }
  });
}

}  // namespace redproof::properties
