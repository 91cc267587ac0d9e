#include "engine/cli/arguments.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <thread>

#include "engine/bits/isa.h"
#include "engine/types/error.h"

namespace redproof::engine::cli {
namespace {

constexpr const char* description =
    "Runs a language model on the CPU, from a Hugging Face directory, over a paged bfloat16 or fp8 KV cache.\n"
    "Text and tables go to stdout; announcements, warnings and errors to stderr.";
constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 a usage error or an input that is refused, one line on stderr; 70 an internal error; 130 interrupted.";

template <class Integer>
Integer integer(const std::string& what, std::string_view text) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw Refusal(fmt::format("{}: '{}' is not an integer in range", what, text));
  return value;
}

// "4096", "512KiB", "64MiB", "1GiB"
std::int64_t memory_bytes(const std::string& text) {
  std::string_view digits = text;
  std::int64_t unit = 1;
  for (const auto& [suffix, bytes] :
       {std::pair{"KiB", std::int64_t{1} << 10}, {"MiB", std::int64_t{1} << 20}, {"GiB", std::int64_t{1} << 30}}) {
    if (!digits.ends_with(suffix)) continue;
    digits.remove_suffix(3);
    unit = bytes;
  }
  const auto count = integer<std::int64_t>("--kv-cache-memory", digits);
  if (count <= 0 || count > std::numeric_limits<std::int64_t>::max() / unit)
    throw Refusal("--kv-cache-memory: '" + text + "' is out of range");
  return count * unit;
}

std::vector<std::int32_t> token_ids(std::string_view text) {
  std::vector<std::int32_t> ids;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    ids.push_back(integer<std::int32_t>("--tokens", text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return ids;
}

struct Raw {
  Arguments arguments;
  std::string model, isa = "auto", format = "text";
  std::string memory;
  std::int64_t num_blocks = 0;
  std::vector<std::string> tokens;
};

// Every option may be given once; repeatable ones say so.
template <class T>
CLI::Option* once(CLI::App& app, const char* name, T& value, const char* help) {
  return app.add_option(name, value, help)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void add_cache_options(CLI::App& app, Raw& raw) {
  EngineOptions& engine = raw.arguments.engine;
  once(app, "--kv-cache-dtype", engine.kv_cache_dtype,
       "auto (the checkpoint's own declaration, or else bfloat16), bfloat16, fp8 or fp8_e4m3")
      ->capture_default_str();
  once(app, "--num-blocks", raw.num_blocks, "blocks of the KV cache; default 256")->check(CLI::PositiveNumber);
  once(app, "--kv-cache-memory", raw.memory, "memory of the KV cache, in bytes or with KiB, MiB or GiB, instead of --num-blocks");
  once(app, "--block-size", engine.block_tokens, "tokens of a block")->capture_default_str();
}

void add_run_options(CLI::App& app, Raw& raw) {
  EngineOptions& engine = raw.arguments.engine;
  once(app, "--threads", engine.cpu.threads, "default: one a core");
  once(app, "--isa", raw.isa, "auto, scalar or avx2; changes no bit of any result")->check(CLI::IsMember({"auto", "scalar", "avx2"}));
  once(app, "--chunk-tokens", engine.chunk_tokens, "most tokens of one forward pass; changes no bit of any result")->capture_default_str();
}

CLI::App* add_command(CLI::App& app, Raw& raw, const char* name, const char* help) {
  CLI::App* command = app.add_subcommand(name, help);
  once(*command, "--model", raw.model, "a Hugging Face directory")->required();
  add_cache_options(*command, raw);
  add_run_options(*command, raw);
  return command;
}

void add_format(CLI::App& app, Raw& raw) {
  once(app, "--format", raw.format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
}

CLI::App* add_generate(CLI::App& app, Raw& raw) {
  CLI::App* command = add_command(app, raw, "generate", "continue prompts, greedily, all in one batch");
  // One value an occurrence, so that a prompt may look like anything.
  command->add_option("--prompt", raw.arguments.prompts, "text to continue; repeatable")->expected(1, 1 << 20)->allow_extra_args(false);
  command->add_option("--tokens", raw.tokens, "token ids to continue, as 1,2,3, instead of text; repeatable")
      ->expected(1, 1 << 20)
      ->allow_extra_args(false);
  once(*command, "--max-tokens", raw.arguments.max_tokens, "most new tokens a prompt")->capture_default_str();
  command->add_flag("--ignore-eos", raw.arguments.ignore_eos, "do not stop at an end-of-text token")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  add_format(*command, raw);
  return command;
}

CLI::App* add_inspect(CLI::App& app, Raw& raw) {
  CLI::App* command = add_command(
      app, raw, "inspect",
      "what the KV cache will hold: dtype, scales, layers, sizes; reads the configuration alone, and scales where there are weights");
  command->add_flag("--json", raw.arguments.json, "print JSON")->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  return command;
}

CLI::App* add_bench(CLI::App& app, Raw& raw) {
  CLI::App* command =
      add_command(app, raw, "bench", "tokens a second of prefill and decode, and the share of this machine's read bandwidth");
  once(*command, "--prompt-tokens", raw.arguments.prompt_tokens, "tokens of the prompt")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  once(*command, "--max-tokens", raw.arguments.max_tokens, "tokens to decode")->check(CLI::Range(1, 1 << 20))->capture_default_str();
  add_format(*command, raw);
  return command;
}

CpuIsa isa_of(const std::string& name) {
  if (name == "scalar") return CpuIsa::scalar;
  if (cpu_has_avx2()) return CpuIsa::avx2;
  if (name == "avx2") throw Refusal("--isa: this processor has no AVX2");
  return CpuIsa::scalar;
}

Arguments finish(Raw raw) {
  Arguments arguments = std::move(raw.arguments);
  arguments.engine.model = raw.model;
  arguments.engine.cpu.isa = isa_of(raw.isa);
  arguments.json = arguments.json || raw.format == "json";
  if (raw.num_blocks > 0) arguments.engine.pool.num_blocks = raw.num_blocks;
  if (!raw.memory.empty()) arguments.engine.pool.memory_bytes = memory_bytes(raw.memory);
  for (const std::string& text : raw.tokens) arguments.token_prompts.push_back(token_ids(text));
  if (arguments.command != Command::generate) return arguments;
  if (arguments.prompts.empty() == arguments.token_prompts.empty()) throw Refusal("generate: give --prompt or --tokens, and not both");
  return arguments;
}

}  // namespace

std::optional<Arguments> parse_arguments(int argc, char** argv) {
  CLI::App app{description, "engine"};
  app.set_version_flag("--version", "engine 0.1.0");
  app.require_subcommand(1);
  app.footer(exit_codes);  // the commands inherit it
  Raw raw;
  raw.arguments.engine.cpu.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  add_generate(app, raw);
  const CLI::App* inspect = add_inspect(app, raw);
  const CLI::App* bench = add_bench(app, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw Refusal(error.what());
    app.exit(error);
    return std::nullopt;
  }
  raw.arguments.command = *bench ? Command::bench : *inspect ? Command::inspect : Command::generate;
  return finish(std::move(raw));
}

}  // namespace redproof::engine::cli
