#include "mutants/driver/cache/unit_closure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <set>
#include <thread>

#include "gates/runner/safe_path.h"
#include "mutants/driver/cache/code_text.h"
#include "mutants/driver/cache/toolchain.h"
#include "mutants/driver/find/source_file.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

bool has_output(std::string_view word) { return word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ"; }

// Without -fpch-preprocess a precompiled header is not used here, and the files that it was made of are named.
bool is_left_out(std::string_view word) {
  static constexpr std::array<std::string_view, 9> words = {
      "-c", "-S", "-MD", "-MMD", "-M", "-MM", "-MP", "-save-temps", "-fpch-preprocess"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

}  // namespace

std::vector<std::string> dependency_command(const CompileCommand& command, const fs::path& rule) {
  std::vector<std::string> words{"env", "-C", command.directory.string()};
  auto const first = compiler_of(command.words);
  if (first == command.words.end()) return {};
  for (auto word = first; word != command.words.end(); ++word) {
    if (has_output(*word)) {
      if (++word == command.words.end()) break;
    } else if (!is_left_out(*word)) {
      words.push_back(*word);
    }
  }
  for (const std::string& more :
       {std::string("-w"), std::string("-M"), std::string("-MT"), std::string("unit"), std::string("-MF"), rule.string()})
    words.push_back(more);
  return words;
}

std::vector<std::string> prerequisites_of(const std::string& rule) {
  std::vector<std::string> files{{}};
  auto const colon = rule.find(": ");
  for (std::size_t i = colon == std::string::npos ? rule.size() : colon + 2; i < rule.size(); ++i) {
    char const next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && next == '\n') {
      files.emplace_back();
      ++i;
    } else if ((rule[i] == '\\' && (next == ' ' || next == '#' || next == '\\' || next == ':')) || (rule[i] == '$' && next == '$')) {
      files.back() += rule[++i];
    } else if (rule[i] == '\n') {
      break;
    } else if (rule[i] == ' ') {
      files.emplace_back();
    } else {
      files.back() += rule[i];
    }
  }
  std::erase(files, "");
  return files;
}

UnitClosures::UnitClosures(Worker& worker) : worker_(worker), tree_(fs::weakly_canonical(worker.tree())) {}

void UnitClosures::make(const std::vector<const CompileCommand*>& units, unsigned jobs) {
  std::set<const CompileCommand*> const distinct(units.begin(), units.end());
  std::vector<const CompileCommand*> const list(distinct.begin(), distinct.end());
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  auto const work = [&](unsigned index) {
    try {
      for (std::size_t i = next++; i < list.size(); i = next++) {
        auto made = closure(*list[i], worker_.home() / fmt::format("closure-{}", index));
        std::lock_guard const guard(mutex_);
        closures_[list[i]] = std::move(made);
      }
    } catch (...) {
      std::lock_guard const guard(mutex_);
      thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned index = 0; index < std::max(1u, jobs); ++index) threads.emplace_back(work, index);
  }
  if (thrown) std::rethrow_exception(thrown);
}

std::optional<std::string> UnitClosures::closure(const CompileCommand& unit, const fs::path& folder) {
  fs::path const rule = folder / "unit.d";
  auto const argv = dependency_command(unit, rule);
  if (unit.is_cuda || argv.empty()) return std::nullopt;
  fs::create_directories(folder);
  auto const process = worker_.run_command(argv);
  if (!process.ended_by_itself() || process.exit_code != 0 || !fs::is_regular_file(rule)) return std::nullopt;
  std::set<std::string> lines;
  for (const std::string& file : prerequisites_of(read_file(rule))) {
    auto line = described(fs::weakly_canonical(unit.directory / file));
    if (!line) return std::nullopt;
    lines.insert(std::move(*line));
  }
  fs::remove_all(folder);
  if (lines.empty()) return std::nullopt;
  std::string const words = fmt::format("{}", fmt::join(unit.words, "\n"));
  return sha256(fmt::format("{}\n{}\n{}", replaced(words, worker_.tree().string(), "."),
                            program_text(*compiler_of(unit.words), unit.directory), fmt::join(lines, "")));
}

std::optional<std::string> UnitClosures::described(const fs::path& file) {
  std::unique_lock guard(mutex_);
  if (auto const known = files_.find(file.string()); known != files_.end()) return known->second;
  guard.unlock();
  auto text = described_anew(file.string());
  guard.lock();
  return files_.emplace(file.string(), std::move(text)).first->second;
}

std::optional<std::string> UnitClosures::described_anew(const std::string& file) const {
  std::string const text = read_file(file);
  if (!gates::is_at_or_below(file, tree_)) return fmt::format("{} {}\n", file, sha256(text));
  std::string const path = fs::path(file).lexically_relative(tree_).generic_string();
  if (!is_host_source(path)) return fmt::format("{} {}\n", path, sha256(text));
  std::string const code = code_text(text);
  if (reads_otherwise(code)) return std::nullopt;
  return fmt::format("{} code {}\n", path, sha256(code));
}

}  // namespace redproof::mutants
