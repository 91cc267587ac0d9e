// gates: runs the gates of a project and says what became of each.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "gates/runner/atomic_file.h"
#include "gates/runner/cli/commands.h"
#include "gates/runner/exit_code.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/option_values.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/standard_streams.h"

namespace {

using redproof::gates::GatesOptions;

constexpr char const* footer =
    "Exit codes, the loudest of what happened: 130 interrupted; 70 internal error; 1 usage, configuration or an input that is refused;\n"
    "2 a gate is red; 8 a gate is vacuous, skipped, unattested or broken, or there was none to run; 0 every gate is green.";

void add_common(CLI::App& command, GatesOptions& options) {
  command.add_option("--root", options.root, "The project: the folder that holds gates/*.gate.json (default: searched upward)");
  command.add_option("-o,--output", options.output, "Write there, whole or not at all, instead of to stdout");
  command.footer(footer);
}

void add_format(CLI::App& command, GatesOptions& options, const std::vector<std::string>& formats) {
  command.add_option("--format", options.format, "How to write it")->check(CLI::IsMember(formats))->capture_default_str();
}

void add_patterns(CLI::App& command, GatesOptions& options) {
  command.add_option("ids", options.patterns, "Ids, or globs with * and ?; one that names no gate is refused (default: every gate)");
}

void add_subject(CLI::App& command, GatesOptions& options) {
  command.add_option("--subject", options.subject, "Only gates of this subject, e.g. cpu or cpu/avx2");
}

void add_stage(CLI::App& command, GatesOptions& options) {
  command.add_option("--stage", options.stage, "Only gates that are run then; nightly is all of them")
      ->check(CLI::IsMember({"premerge", "nightly"}))
      ->capture_default_str();
}

void take_natural(CLI::Option* option, std::uint64_t least, std::uint64_t most) {
  auto const check = [=](const std::string& text) { return redproof::gates::no_natural(text, least, most); };
  option->check(check, fmt::format("from {} to {}", least, most))->capture_default_str();
}

void take_decimal(CLI::Option* option, double least, double most) {
  auto const check = [=](const std::string& text) { return redproof::gates::no_decimal(text, least, most); };
  option->check(check, fmt::format("from {} to {}", least, most))->capture_default_str();
}

void add_bin(CLI::App& command, GatesOptions& options) {
  command.add_option("--bin", options.bin, "The folder of the gate programs (default: that of this program)");
}

void add_run(CLI::App& app, GatesOptions& options) {
  auto& command = *app.add_subcommand("run", "Run gates, each in a process of its own");
  add_patterns(command, options);
  add_common(command, options);
  add_format(command, options, {"human", "json", "junit", "github"});
  add_subject(command, options);
  add_stage(command, options);
  take_natural(command.add_option("--jobs", options.jobs, "Gates at a time"), 1, 1024);
  take_natural(command.add_option("--seed", options.seed, "What the populations are drawn from"), 0, UINT64_MAX);
  take_decimal(command.add_option("--timeout-factor", options.timeout_factor, "Times the limit of every gate"), 0.01, 1000);
  add_bin(command, options);
}

void add_others(CLI::App& app, GatesOptions& options) {
  auto& list = *app.add_subcommand("list", "List the gates");
  add_patterns(list, options);
  add_common(list, options);
  add_format(list, options, {"human", "json"});
  add_subject(list, options);
  add_stage(list, options);
  auto& check = *app.add_subcommand("check", "Check every gate file, and run nothing");
  add_common(check, options);
  add_bin(check, options);
  auto& show = *app.add_subcommand("show", "Show what a gate claims, why that holds and what it cannot see");
  show.add_option("id", options.patterns, "Id or glob")->required();
  add_common(show, options);
}

// Of all options that take a value: an empty one would stand for the default.
void refuse_empty_words(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_min() > 0) option->check(redproof::gates::no_word);
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_words(*command);
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (CLI::App const* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
  return names;
}

// What the library said, and where no command was named, which there are.
std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  if (!app.get_subcommands().empty()) return error.what();
  auto const unknown = app.remaining();
  std::string const what =
      unknown.empty() ? error.what() : fmt::format("'{}' is no command", redproof::gates::printable(unknown.front(), 80));
  return fmt::format("{}: {}", what, redproof::gates::alternatives(commands_of(app)));
}

int dispatch(const CLI::App& app, const GatesOptions& options) {
  std::string const command = app.get_subcommands().front()->get_name();
  if (!options.output.empty()) redproof::gates::require_writable(options.output);
  if (command == "run") return redproof::gates::run_selected(options);
  if (command == "list") return redproof::gates::list_gates(options);
  if (command == "check") return redproof::gates::check_catalogue(options);
  return redproof::gates::show_gate(options);
}

int run_program(int argc, char** argv) {
  CLI::App app("Gates judge an implementation: each is a claim, its laws, and a verdict.", "gates");
  GatesOptions options;
  options.jobs = std::clamp(std::thread::hardware_concurrency(), 1U, 1024U);
  app.require_subcommand(1);
  app.footer(footer);
  add_run(app, options);
  add_others(app, options);
  refuse_empty_words(app);
  redproof::gates::refuse_empty_assignments(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream help;
      int const code = app.exit(error, help, help);
      redproof::gates::print(help.str());
      return code;
    }
    std::fprintf(stderr, "gates: %s\n", redproof::gates::printable(complaint(app, error), 500).c_str());
    return redproof::gates::exit_refused;
  }
  return dispatch(app, options);
}

}  // namespace

int main(int argc, char** argv) {
  redproof::gates::hold_standard_streams();
  redproof::gates::watch_interrupts();
  try {
    return run_program(argc, argv);
  } catch (const redproof::gates::Refusal& refusal) {
    std::fprintf(stderr, "gates: %s\n", redproof::gates::printable(refusal.what()).c_str());
    return redproof::gates::exit_refused;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gates: internal error: %s\n", redproof::gates::printable(error.what(), 500).c_str());
    return redproof::gates::exit_internal;
  }
}
