// mutate: plants the defects of a catalogue, builds them, and shows that the gate named for each goes red.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gates/runner/exit_code.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/option_values.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/spawner.h"
#include "gates/runner/standard_streams.h"
#include "mutants/driver/cli/commands.h"
#include "mutants/driver/interrupted.h"
#include "mutants/driver/lab/disk_error.h"
#include "mutants/driver/lab/memory.h"

namespace {

using redproof::mutants::CommandLine;

constexpr const char* footer =
    "Exit codes, the loudest of what happened: 130 interrupted (finished outcomes are in the output folder); 9 a private tree was not\n"
    "restored byte for byte; 70 internal error; 1 usage, configuration, an input that is refused, a report or a lab that cannot be "
    "written,\n"
    "no libclang where sources have to be parsed;\n"
    "6 a diff that cannot be read; 5 a diff that does not match the tree; 4 the pristine tree is not green;\n"
    "2 a mutant survived, was not reached, or only another gate saw it, or it is equivalent and not declared so; 10 wrong_reason,\n"
    "collateral, crash or oom; 7 stale or unviable; 8 no evidence, nothing to run, or mutants that --max-time left out; 12 a worker whose\n"
    "machine went bad; 3 timeout;\n"
    "11 the share killed is below --threshold; 0 every mutant became what it declares.\n"
    "The user's tree is never written, except for the output folder. Private trees live in $REDPROOF_LAB or the temporary folder.";

CLI::Option* take_natural(CLI::Option* option, std::uint64_t least, std::uint64_t most) {
  auto const check = [=](const std::string& text) { return redproof::gates::no_natural(text, least, most); };
  return option->check(check, fmt::format("from {} to {}", least, most));
}

CLI::Option* take_decimal(CLI::Option* option, double least, double most) {
  auto const check = [=](const std::string& text) { return redproof::gates::no_decimal(text, least, most); };
  return option->check(check, fmt::format("from {} to {}", least, most));
}

// Of all options that take a value: an empty one would stand for the default.
void refuse_empty_words(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_min() > 0) option->check(redproof::gates::no_word);
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_words(*command);
}

void add_project(CLI::App& app, CommandLine& line) {
  app.add_option("--catalog", line.catalog, "The folder of the mutants, GROUP/NAME.mutant.json");
  app.add_option("--root", line.root, "The project (default: the nearest folder above the catalogue that holds gates/*.gate.json)");
  auto const take_paths = [&line](const std::vector<std::string>& paths) {
    line.generates = true;
    line.run.generate = paths;
  };
  app.add_option_function<std::vector<std::string>>(
         "--generate", take_paths,
         "Mutants that operators make of these files, folders or globs, instead of the catalogue's (its lab.json is used)")
      ->expected(0, CLI::detail::expected_max_vector_size);
  app.add_option("--operators", line.run.operators,
                 "Only these operators, A,B,... (again: these, too); \"all\"; \"list\" prints them (default: those marked there)")
      ->allow_extra_args(false);
  app.add_option("--lab-config", line.run.lab_config, "How private trees are built (default: lab.json of the catalogue)");
  app.add_option("--compile-commands", line.compile_commands,
                 "For --check, --dry-run and symbols (default: the lab's, or the newest below build/)");
}

void add_what(CLI::App& app, CommandLine& line) {
  app.add_option("filters", line.run.filters, "Ids, or globs with * and ?; one that matches nothing is refused (default: every mutant)");
  add_project(app, line);
}

void add_selection(CLI::App& app, CommandLine& line) {
  auto& selection = line.run.selection;
  auto* const in_diff =
      app.add_option("--in-diff", line.in_diff, "Only what a diff concerns: a file, or - for stdin; it must be of this tree");
  app.add_option("--since", line.since, "Only what changed since this commit and HEAD parted, in the working tree")->excludes(in_diff);
  app.add_option("--file", selection.files, "Only mutants of files that fit this glob (again: of these, too)")->allow_extra_args(false);
  app.add_option("--function", selection.functions, "Only mutants of this function, plain or qualified (again: of these, too)")
      ->allow_extra_args(false);
  take_natural(app.add_option("--sample", selection.sample, "Only so many of them, drawn by --seed"), 1, 1'000'000'000);
  app.add_option("--shard", line.shard,
                 "Only part k of n, \"k/n\", or \"env\": from the variables of a Slurm array, a Kubernetes indexed\n"
                 "job (with MUTATE_JOB_COUNT), GitLab (CI_NODE_INDEX), or MUTATE_JOB_INDEX (from 0) and MUTATE_JOB_COUNT");
  take_decimal(app.add_option("--max-time", line.max_time, "Seconds after which no further mutant is started"), 0.001, 1e9);
}

void add_how(CLI::App& app, CommandLine& line) {
  auto* const check = app.add_flag("--check", line.check, "Only show that every edit applies exactly once");
  auto* const list = app.add_flag("--list", line.list, "Only list the mutants")->excludes(check);
  app.add_flag("--dry-run", line.dry_run, "Only show what would be planted, built and run")->excludes(check)->excludes(list);
  take_natural(app.add_option("--jobs", line.run.jobs, "Private trees at a time"), 1, 256)->capture_default_str();
  app.add_option(
         "--planting", line.run.planting,
         "All mutants in one build where that can be, each in a build of its own, both compared; auto: few by themselves, many in one")
      ->check(CLI::IsMember({"auto", "schemata", "one_a_build", "both"}))
      ->capture_default_str();
  app.add_flag("--matrix", line.run.matrix, "Every gate on every mutant, also after the first kill: who sees what");
  take_natural(app.add_option("--seed", line.run.seed, "What the gates' populations are drawn from"), 0, UINT64_MAX)->capture_default_str();
  take_decimal(app.add_option("--timeout-factor", line.run.timeout_factor, "Times the limit of every gate"), 0.01, 1000)
      ->capture_default_str();
  app.add_flag("!--no-resume,--resume", line.run.resume, "Take finished outcomes of earlier runs on the same inputs (default), or not");
  auto* const no_cache = app.add_flag("--no-cache", line.no_cache, "Neither take outcomes from a cache nor leave any there");
  app.add_option("--cache", line.cache,
                 "Outcomes that runs share between folders, clones and machines: a file, made where it is not there\n"
                 "(default: $REDPROOF_VERDICTS, or none)")
      ->excludes(no_cache);
  app.add_flag("--keep-lab", line.run.keep_lab, "Leave the private trees behind");
}

// What was prepared is fixed: it has its own plan, seed and limits, and no sources to ask.
void add_elsewhere(CLI::App& app, CommandLine& line) {
  auto* const prepare = app.add_option("--prepare", line.prepare,
                                       "Only plan, build and prove; the folder is all that --prepared needs: no source, no compiler");
  auto* const prepared = app.add_option("--prepared", line.prepared, "Run what --prepare left in this folder, here or on another machine");
  for (const char* name : {"--check", "--list", "--dry-run", "--planting", "--prepared", "--shard", "--cache"})
    prepare->excludes(app.get_option(name));
  for (const char* name :
       {"--catalog", "--root", "--generate", "--operators", "--lab-config", "--compile-commands", "--in-diff", "--since", "--file",
        "--function", "--check", "--list", "--dry-run", "--planting", "--matrix", "--seed", "--timeout-factor", "--cache"})
    prepared->excludes(app.get_option(name));
}

void add_report(CLI::App& app, CommandLine& line) {
  app.add_option("--format", line.format, "How to write the report")
      ->check(CLI::IsMember({"human", "json", "junit", "github", "sarif", "elements"}))
      ->capture_default_str();
  app.add_option("-o,--output", line.output, "Write the report there, whole or not at all, instead of to stdout");
  take_decimal(app.add_option("--threshold", line.threshold, "Percent of the judged mutants that have to be killed"), 0, 100);
}

void add_output(CLI::App& app, CommandLine& line) {
  auto* const out = app.add_option("--out", line.run.out, "The output folder; the one before is kept as NAME.old")->capture_default_str();
  out->excludes(app.get_option("--prepare"));
  add_report(app, line);
  app.add_flag("-v,--verbose", line.verbose, "Diff, hashes, build and figures of every mutant (default for a single one)");
}

// An option that may have no values cannot tell an empty one from none.
void refuse_empty_path(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string_view(argv[i]) == "--generate" && *argv[i + 1] == 0) throw redproof::gates::Refusal("--generate: is empty");
}

using Verb = std::function<int()>;

void add_symbols(CLI::App& app, CommandLine& line, Verb& verb) {
  auto& symbols = *app.add_subcommand("symbols", "Print the symbols that files define, as path::name");
  symbols.add_option("files", line.files, "Paths relative to the root")->required();
  symbols.add_option("--root", line.root, "The project");
  symbols.add_option("--compile-commands", line.compile_commands, "The compile database (default: the newest below build/)");
  symbols.callback([&] { verb = [&] { return redproof::mutants::print_symbols(line); }; });
}

void add_merge(CLI::App& app, CommandLine& line, Verb& verb) {
  auto& merge = *app.add_subcommand("merge", "Make the output folders of all shards into what one run would have left");
  merge.add_option("folders", line.files, "Output folders, one a shard, in any order")->required();
  merge.add_option("--out", line.run.out, "The merged output folder; the one before is kept as NAME.old")->required();
  merge.add_option("--root", line.root, "The tree that the shards ran on (default: the first shard's, or here)");
  add_report(merge, line);
  merge.callback([&] { verb = [&] { return redproof::mutants::merge_shards(line); }; });
}

void add_one_mutant(CLI::App& app, CommandLine& line, Verb& verb) {
  auto& explain = *app.add_subcommand("explain", "Show a mutant: what it changes, who is to see it, what happened, how to do it by hand");
  explain.add_option("--out", line.run.out, "The output folder of the run that is told")->capture_default_str();
  explain.add_option("--seed", line.run.seed, "What the gates' populations are drawn from, by hand")->capture_default_str();
  explain.add_option("-o,--output", line.output, "Write it there instead of to stdout");
  explain.callback([&] { verb = [&] { return redproof::mutants::explain_mutant(line); }; });
  auto& apply = *app.add_subcommand("apply", "Write a mutant as a patch for `git apply` or `patch -p1`");
  apply.add_option("-o,--output", line.output, "The patch (default: GROUP_NAME.patch; - for stdout)");
  apply.add_flag("--force", line.force, "Write over a file that is there");
  apply.callback([&] { verb = [&] { return redproof::mutants::apply_mutant(line); }; });
  for (CLI::App* one : {&explain, &apply}) {
    one->add_option("id", line.id, "GROUP/NAME")->required();
    add_project(*one, line);
  }
}

void add_schema(CLI::App& app, CommandLine& line, Verb& verb) {
  auto& schema = *app.add_subcommand("schema", "Print the JSON schema of what a run writes");
  schema
      .add_option("document", line.schema,
                  "plan (plan.json), outcomes (a line of outcomes.jsonl), report (--format json), selection, end, prepared "
                  "(prepared.json), environment (environment.json)")
      ->required();
  schema.add_option("-o,--output", line.output, "Write it there instead of to stdout");
  schema.callback([&] { verb = [&] { return redproof::mutants::print_schema(line); }; });
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
  return names;
}

void tell(const std::string& text) { std::fprintf(stderr, "mutate: %s\n", redproof::gates::printable(text).c_str()); }

int run_program(int argc, char** argv) {
  CLI::App app("Mutants judge gates: each is planted in a private copy of the tree, built, and its gate has to go red.", "mutate");
  CommandLine line;
  line.run.jobs = redproof::mutants::workers_for(std::thread::hardware_concurrency(), redproof::mutants::memory_bytes());
  line.run.out = "mutate.out";
  add_what(app, line);
  add_selection(app, line);
  add_how(app, line);
  add_elsewhere(app, line);
  add_output(app, line);
  app.footer(footer);
  Verb verb = [&] { return redproof::mutants::mutate(line); };
  add_symbols(app, line, verb);
  add_merge(app, line, verb);
  add_one_mutant(app, line, verb);
  add_schema(app, line, verb);
  line.subcommands = redproof::gates::alternatives(commands_of(app));
  refuse_empty_words(app);
  redproof::gates::refuse_empty_assignments(argc, argv);
  refuse_empty_path(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    std::ostringstream text;
    int const code = app.exit(help, text, text);
    redproof::gates::print(text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    tell(redproof::gates::printable(error.what(), 500));
    return redproof::gates::exit_refused;
  }
  return verb();
}

}  // namespace

int main(int argc, char** argv) {
  redproof::gates::hold_standard_streams();
  redproof::gates::start_spawner();
  redproof::gates::watch_interrupts();
  try {
    int const code = run_program(argc, argv);
    return redproof::gates::interrupted() ? redproof::gates::exit_interrupted : code;
  } catch (const redproof::mutants::Interrupted&) {
    return redproof::gates::exit_interrupted;
  } catch (const redproof::mutants::DiffError& error) {
    tell(error.what());
    return error.exit_code;
  } catch (const redproof::gates::Refusal& refusal) {
    tell(refusal.what());
    return redproof::gates::interrupted() ? redproof::gates::exit_interrupted : redproof::gates::exit_refused;
  } catch (const std::filesystem::filesystem_error& error) {
    tell(redproof::mutants::told(error));
    return redproof::gates::exit_refused;
  } catch (const std::exception& error) {
    tell(std::string("internal error: ") + error.what());
    return redproof::gates::exit_internal;
  }
}
