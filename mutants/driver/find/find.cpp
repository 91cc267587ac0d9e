#include "mutants/driver/find/find.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "gates/runner/interrupt.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/find/edits.h"
#include "mutants/driver/find/libclang.h"
#include "mutants/driver/find/parse.h"
#include "mutants/driver/find/prelude.h"
#include "mutants/driver/interrupted.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// What was parsed, by file and unit; and in which unit an edit's file (and the `through` it may name) is found.
struct Parsed {
  std::map<std::string, FileSyntax> files;
  std::map<std::string, std::string> places;

  const FileSyntax& at(const std::string& key) const { return files.at(places.at(key)); }
};

std::string key_of(const std::string& path, const std::string& through) { return path + '\0' + through; }

std::string place_in(const std::string& unit, const std::string& path) { return path + '\0' + unit; }

class Requests {
 public:
  Requests(const FindOptions& options, Parsed& parsed) : options_(options), parsed_(parsed) {
    if (options.compile_commands) database_ = CompileDatabase::read(*options.compile_commands);
  }

  void add(const std::string& path, const std::string& through, const std::string& name) {
    if (!fs::is_regular_file(options_.root / path)) return broken(path, through, path + ": no such file");
    if (!options_.compile_commands) return broken(path, through, "no compile database: name it in lab.json (compile_commands)");
    const CompileCommand* const command = command_of(path, through);
    if (command == nullptr)
      return broken(path, through,
                    fmt::format("no compile command reaches {}: no source of {} is it or includes it", through.empty() ? path : through,
                                options_.compile_commands->filename().string()));
    ParseRequest& unit = units_[command->file.string()];
    unit.root = options_.root;
    unit.command = *command;
    if (!name.empty()) unit.names.insert(name);
    std::string const place = place_in(command->file.string(), path);
    parsed_.places[key_of(path, through)] = place;
    // The same file may be asked for with and without `through`; it is parsed once a unit.
    if (parsed_.files.try_emplace(place).second) unit.files.push_back(path);
  }

  std::vector<ParseRequest> units() const {
    std::vector<ParseRequest> list;
    for (const auto& [file, unit] : units_) list.push_back(unit);
    return list;
  }

 private:
  const CompileCommand* command_of(const std::string& path, const std::string& through) const {
    if (!through.empty()) return database_.find(options_.root / through);
    const CompileCommand* const own = database_.find(options_.root / path);
    return own != nullptr ? own : database_.find_through(options_.root / path);
  }

  void broken(const std::string& path, const std::string& through, std::string why) {
    std::string const key = key_of(path, through);
    parsed_.places[key] = key;
    parsed_.files[key].broken = std::move(why);
  }

  const FindOptions& options_;
  Parsed& parsed_;
  CompileDatabase database_;
  std::map<std::string, ParseRequest> units_;
};

// Units are parsed side by side; each writes only its own slot.
void parse_all(std::vector<ParseRequest> units, unsigned jobs, Parsed& parsed) {
  if (!units.empty()) load_libclang();
  Preludes const preludes(units, jobs);
  // The longest first, so that no worker is left with one when all others are done.
  std::stable_partition(units.begin(), units.end(), [](const ParseRequest& unit) { return unit.prelude.empty(); });
  std::vector<std::vector<FileSyntax>> answers(units.size());
  std::vector<std::string> failures(units.size());
  std::atomic<std::size_t> next{0};
  auto const work = [&] {
    for (std::size_t i = next++; i < units.size() && !gates::interrupted(); i = next++) {
      try {
        answers[i] = parse(units[i]);
      } catch (const std::exception& error) {
        failures[i] = error.what();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(1u, jobs); ++i) workers.emplace_back(work);
  }
  if (gates::interrupted()) throw Interrupted{};
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!failures[i].empty()) throw gates::Refusal(failures[i]);
    for (std::size_t k = 0; k < answers[i].size(); ++k)
      parsed.files[place_in(units[i].command.file.string(), units[i].files[k])] = std::move(answers[i][k]);
  }
}

// One edit: the file it changes, and what it replaces there.
struct Located {
  std::string path, text;
  std::vector<Replacement> replacements;
};

// Throws Stale. Nothing where `finding` is broken.
std::optional<Located> locate(const Edit& edit, const fs::path& root, const Parsed& parsed, Finding& finding) {
  std::string const path = resolve(root, edit.file);
  if (!fs::is_regular_file(root / path)) throw Stale{path + ": no such file"};
  if (edit.kind == EditKind::text) {
    std::string text = read_file(root / path);
    auto replacements = apply_text_edit(edit, text);
    return Located{path, std::move(text), std::move(replacements)};
  }
  const FileSyntax& syntax = parsed.at(key_of(path, edit.through));
  finding.broken = syntax.broken;
  if (!syntax.broken.empty()) return std::nullopt;
  return Located{path, syntax.text, apply_tree_edit(edit, syntax)};
}

std::vector<MutatedFile> mutated(const std::vector<Located>& edits, const std::function<bool(std::size_t)>& is_in) {
  std::map<std::string, Located> files;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (!is_in(i)) continue;
    auto& all = files.try_emplace(edits[i].path, Located{edits[i].path, edits[i].text, {}}).first->second.replacements;
    all.insert(all.end(), edits[i].replacements.begin(), edits[i].replacements.end());
  }
  std::vector<MutatedFile> list;
  for (const auto& [path, file] : files) {
    std::string after = apply_all(file.text, file.replacements);
    list.push_back({path, file.text, after, sha256(file.text), sha256(after), file.replacements});
  }
  return list;
}

// An edit that changes nothing hides behind those that do.
std::vector<EditFiles> one_by_one(const Mutant& mutant, const std::vector<Located>& edits) {
  std::vector<EditFiles> each;
  for (std::size_t i = 0; edits.size() > 1 && i < edits.size(); ++i) {
    const std::string& function = mutant.edits[i].function;
    std::string const where =
        fmt::format("edit {} of {} ({}{}{})", i + 1, edits.size(), edits[i].path, function.empty() ? "" : ", ", function);
    try {
      each.push_back({where, mutated(edits, [&](std::size_t k) { return k == i; }), {}});
    } catch (const Stale& stale) {
      throw Stale{where + ": " + stale.why};
    }
  }
  for (std::size_t i = 0; i < each.size(); ++i) each[i].others = mutated(edits, [&](std::size_t k) { return k != i; });
  return each;
}

Finding find_one(const Mutant& mutant, const fs::path& root, const Parsed& parsed) {
  Finding finding;
  std::vector<Located> edits;
  try {
    for (const Edit& edit : mutant.edits) {
      auto located = locate(edit, root, parsed, finding);
      if (!located) return finding;
      edits.push_back(std::move(*located));
    }
    finding.files = mutated(edits, [](std::size_t) { return true; });
    finding.each = one_by_one(mutant, edits);
  } catch (const Stale& stale) {
    finding.files.clear();
    finding.stale = stale.why;
  }
  return finding;
}

}  // namespace

// Links are resolved here, so that what is planted is the file itself and not the link.
std::string resolve(const fs::path& root, const std::string& file) {
  std::error_code failed;
  fs::path const real = fs::canonical(root / file, failed);
  if (failed) return file;
  std::string const relative = real.lexically_relative(fs::canonical(root)).generic_string();
  if (relative.empty() || relative.starts_with("..")) throw gates::Refusal(file + ": links out of the root");
  return relative;
}

std::vector<Finding> find(const std::vector<Mutant>& mutants, const FindOptions& options) {
  Parsed parsed;
  Requests requests(options, parsed);
  for (const Mutant& mutant : mutants)
    for (const Edit& edit : mutant.edits)
      if (edit.kind != EditKind::text) requests.add(resolve(options.root, edit.file), edit.through, edit.function);
  parse_all(requests.units(), options.jobs, parsed);
  std::vector<Finding> findings;
  for (const Mutant& mutant : mutants) findings.push_back(find_one(mutant, options.root, parsed));
  return findings;
}

std::map<std::string, FileSyntax> syntax_of(const std::vector<std::string>& files, const FindOptions& options) {
  Parsed parsed;
  Requests requests(options, parsed);
  for (const std::string& file : files) requests.add(file, "", "*");
  parse_all(requests.units(), options.jobs, parsed);
  std::map<std::string, FileSyntax> found;
  for (const std::string& file : files) found[file] = parsed.at(key_of(file, ""));
  return found;
}

std::vector<std::string> cuda_sources_including(const std::vector<std::string>& files, const FindOptions& options) {
  std::set<std::string> sources;
  if (!options.compile_commands) return {};
  CompileDatabase const database = CompileDatabase::read(*options.compile_commands);
  for (const std::string& file : files)
    for (const CompileCommand* command : database.cuda_through(options.root / file)) {
      std::string const path = command->file.lexically_relative(fs::canonical(options.root)).generic_string();
      if (!path.empty() && !path.starts_with("..")) sources.insert(path);
    }
  return {sources.begin(), sources.end()};
}

std::vector<std::string> symbols(const std::vector<std::string>& files, const FindOptions& options) {
  Parsed parsed;
  Requests requests(options, parsed);
  for (const std::string& file : files) requests.add(resolve(options.root, file), "", "");
  parse_all(requests.units(), options.jobs, parsed);
  std::vector<std::string> lines;
  for (const std::string& file : files) {
    const FileSyntax& syntax = parsed.at(key_of(resolve(options.root, file), ""));
    if (!syntax.broken.empty()) throw gates::Refusal(syntax.broken);
    for (const Scope& scope : syntax.scopes) lines.push_back(fmt::format("{}::{}", file, scope.symbol));
  }
  return lines;
}

bool has_parser() {
  try {
    load_libclang();
    return true;
  } catch (const gates::Refusal&) {
    return false;
  }
}

}  // namespace redproof::mutants
