#include "engine/cli/arguments.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <sstream>
#include <thread>

#include "engine/bits/isa.h"
#include "engine/cli/number.h"
#include "engine/types/error.h"

namespace redproof::engine::cli {
namespace {

constexpr const char* description =
    "Runs a language model on the CPU, from a Hugging Face directory, over a paged bfloat16 or fp8 KV cache.\n"
    "Text and tables go to stdout; announcements, warnings and errors to stderr.";
constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 a usage error or an input that is refused, one line on stderr; 70 an internal error; 130 interrupted.";

constexpr std::int64_t most_tokens = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();  // block ids are 32 bits wide
constexpr std::int64_t most_threads = 1024;

struct Raw {
  Arguments arguments;
  std::string model, isa = "auto", format = "text";
};

// Every option may be given once; repeatable ones say so.
template <class T>
CLI::Option* once(CLI::App& app, const char* name, T& value, const char* help) {
  return app.add_option(name, value, help)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

// A number that is read here, and not by the library: it takes "" for 0 and the largest number for whatever is larger.
template <class Take>
CLI::Option* number(CLI::App& app, const char* name, std::int64_t high, const char* help, const Take& take) {
  return app
      .add_option_function<std::string>(
          name, [name, high, take](const std::string& text) { take(number_of(name, text, 1, high)); }, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
      ->type_name("INT");
}

template <class T>
CLI::Option* number(CLI::App& app, const char* name, std::int64_t high, const char* help, T* value) {
  return number(app, name, high, help, [value](std::int64_t given) { *value = static_cast<T>(given); })
      ->default_str(std::to_string(*value));
}

// One value an occurrence, as it was typed: neither "[a,b]" nor "{}" is a list.
template <class Take>
void repeatable(CLI::App& app, const char* name, const char* help, const Take& take) {
  const auto take_all = [take](const CLI::results_t& values) {
    for (const std::string& value : values) take(value);
    return true;
  };
  app.add_option(name, take_all, help)
      ->option_text("TEXT")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_cache_options(CLI::App& app, Raw& raw) {
  EngineOptions& engine = raw.arguments.engine;
  once(app, "--kv-cache-dtype", engine.kv_cache_dtype,
       "auto (the checkpoint's own declaration, or else bfloat16), bfloat16, fp8 or fp8_e4m3")
      ->capture_default_str();
  number(app, "--num-blocks", most_blocks, "blocks of the KV cache; default 256",
         [&engine](std::int64_t given) { engine.pool.num_blocks = given; });
  app.add_option_function<std::string>(
         "--kv-cache-memory", [&engine](const std::string& text) { engine.pool.memory_bytes = memory_bytes("--kv-cache-memory", text); },
         "memory of the KV cache, in bytes or with KiB, MiB or GiB, instead of --num-blocks")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  number(app, "--block-size", 1 << 16, "tokens of a block", &engine.block_tokens);
}

void add_run_options(CLI::App& app, Raw& raw) {
  EngineOptions& engine = raw.arguments.engine;
  number(app, "--threads", most_threads, "default: one a core",
         [&engine](std::int64_t given) { engine.cpu.threads = static_cast<int>(given); });
  once(app, "--isa", raw.isa, "auto, scalar or avx2; changes no bit of any result")->check(CLI::IsMember({"auto", "scalar", "avx2"}));
  number(app, "--chunk-tokens", 1 << 20, "most tokens of one forward pass; changes no bit of any result", &engine.chunk_tokens);
}

CLI::App* add_command(CLI::App& app, Raw& raw, const char* name, const char* help) {
  CLI::App* command = app.add_subcommand(name, help);
  once(*command, "--model", raw.model, "a Hugging Face directory; its weights may be links into it, or into the blobs of its hub cache")
      ->required();
  add_cache_options(*command, raw);
  return command;
}

void add_format(CLI::App& app, Raw& raw) {
  once(app, "--format", raw.format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
}

CLI::App* add_generate(CLI::App& app, Raw& raw) {
  CLI::App* command = add_command(app, raw, "generate", "continue prompts, greedily, all in one batch");
  add_run_options(*command, raw);
  Arguments& arguments = raw.arguments;
  repeatable(*command, "--prompt",
             "text to continue; repeatable, and where it is repeated, a line [prompt N], from 0 on, stands before each continuation",
             [&arguments](const std::string& text) { arguments.prompts.push_back(text); });
  repeatable(*command, "--tokens", "token ids to continue, as 1,2,3, instead of text; repeatable, a line of ids for each",
             [&arguments](const std::string& text) { arguments.token_prompts.push_back(token_ids("--tokens", text)); });
  number(*command, "--max-tokens", most_tokens, "most new tokens a prompt", &arguments.max_tokens);
  command->add_flag("--ignore-eos", arguments.ignore_eos, "do not stop at an end-of-text token")
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
  add_run_options(*command, raw);
  number(*command, "--prompt-tokens", 1 << 20, "tokens of the prompt", &raw.arguments.prompt_tokens);
  number(*command, "--max-tokens", 1 << 20, "tokens to decode", &raw.arguments.max_tokens);
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
  if (raw.model.empty()) throw Refusal("--model: '' is no directory");
  if (arguments.command != Command::generate) return arguments;
  if (arguments.prompts.empty() == arguments.token_prompts.empty()) throw Refusal("generate: give --prompt or --tokens, and not both");
  return arguments;
}

// What the library said, or, where no command was named, what stands in its place, and which there are.
std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const auto unknown = app.remaining();
  if (!app.get_subcommands().empty()) return error.what();
  const std::string what = unknown.empty() ? error.what() : fmt::format("'{}' is no command", unknown.front());
  return what + ": generate, inspect or bench";
}

}  // namespace

std::variant<Arguments, std::string> parse_arguments(int argc, char** argv) {
  CLI::App app{description, "engine"};
  app.set_version_flag("--version", "engine 0.1.0");
  app.require_subcommand(1);
  app.footer(exit_codes);  // the commands inherit it
  Raw raw;
  raw.arguments.engine.cpu.threads = static_cast<int>(std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, most_threads));
  add_generate(app, raw);
  const CLI::App* inspect = add_inspect(app, raw);
  const CLI::App* bench = add_bench(app, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw Refusal(complaint(app, error));
    std::ostringstream answer;
    app.exit(error, answer, answer);
    return answer.str();
  }
  raw.arguments.command = *bench ? Command::bench : *inspect ? Command::inspect : Command::generate;
  return finish(std::move(raw));
}

}  // namespace redproof::engine::cli
