#include "mutants/driver/schemata/rewrite.h"

#include <fmt/format.h>

#include <algorithm>

#include "mutants/driver/find/source_file.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/schemata/clone.h"
#include "mutants/driver/schemata/launches.h"

namespace redproof::mutants {
namespace {

bool holds(const FunctionShape& shape, Range range) { return range.begin > shape.body.begin && range.end < shape.body.end; }

// The function whose body holds the range. Scopes of functions do not nest: a local record's function is a part of the one around it.
const Scope* host_of(const FileSyntax& file, Range range) {
  auto const found = std::find_if(file.scopes.begin(), file.scopes.end(), [&](const Scope& scope) {
    return scope.kind == ScopeKind::function && !scope.nodes.empty() && holds(scope.shape, range);
  });
  return found == file.scopes.end() ? nullptr : &*found;
}

// The hosts of one file by the place of their body: so are they numbered, and so written.
using FileHosts = std::map<std::size_t, Host>;

class Rewriting {
 public:
  Rewriting(const std::map<std::string, FileSyntax>& files, const std::filesystem::path& runtime) : files_(files), runtime_(runtime) {}

  void add(const Candidate& candidate) {
    for (const MutatedFile& file : *candidate.files)
      for (const Replacement& replacement : file.replacements) {
        std::string const why = why_not(file.path, replacement);
        if (!why.empty()) {
          rewritten_.left_out[candidate.mutant] = why;
          return;
        }
      }
    for (const MutatedFile& file : *candidate.files)
      for (const Replacement& replacement : file.replacements) {
        const Scope* const scope = host_of(files_.at(file.path), replacement.range);
        auto& variants = host(file.path, *scope).variants;
        if (variants.empty() || variants.back().mutant != candidate.mutant) variants.push_back({candidate.mutant, {}});
        variants.back().replacements.push_back(replacement);
      }
  }

  Rewritten finish() {
    for (auto& [path, hosts] : hosts_) number(path, hosts);
    bool const arms = std::any_of(rewritten_.functions.begin(), rewritten_.functions.end(), [](const auto& one) { return one.on_device; });
    for (const auto& [path, file] : files_) {
      if (!file.broken.empty()) continue;
      auto replacements = replacements_of(file, hosts_[path], arms && file.is_cuda);
      if (!replacements.empty()) rewritten_.files.push_back(written(file, std::move(replacements)));
    }
    return std::move(rewritten_);
  }

 private:
  std::string why_not(const std::string& path, const Replacement& replacement) const {
    auto const found = files_.find(path);
    if (!is_cpp(path)) return path + " is not C++";
    if (found == files_.end()) return path + " was not parsed";
    if (!found->second.broken.empty()) return found->second.broken;
    const Scope* const scope = host_of(found->second, replacement.range);
    if (scope == nullptr) return "it changes more than the body of a function";
    return scope->shape.why_not.empty() ? std::string() : scope->name + ": " + scope->shape.why_not;
  }

  Host& host(const std::string& path, const Scope& scope) {
    return hosts_[path].try_emplace(scope.shape.body.begin, Host{0, &scope, {}}).first->second;
  }

  void number(const std::string& path, FileHosts& hosts) {
    for (auto& [place, host] : hosts) {
      host.function = static_cast<unsigned>(rewritten_.functions.size());
      rewritten_.functions.push_back(
          {path, host.scope->name, host.scope->line, host.scope->shape.is_constexpr, host.scope->shape.on_device});
      for (const Variant& variant : host.variants) rewritten_.functions_of[variant.mutant].push_back(host.function);
    }
  }

  static std::vector<Replacement> replacements_of(const FileSyntax& file, const FileHosts& hosts, bool arms) {
    std::vector<Replacement> all;
    for (const Scope& scope : file.scopes) {
      auto const added = arms && scope.kind == ScopeKind::function ? arms_of(scope, file) : std::vector<Replacement>();
      auto const host = hosts.find(scope.shape.body.begin);
      if (host != hosts.end() && host->second.scope == &scope) {
        SecondEntrance entrance = second_entrance(host->second, file, added);
        std::size_t const at = scope.shape.body.begin + 1;
        all.push_back({{at, at}, std::move(entrance.dispatch)});
        all.insert(all.end(), entrance.moved.begin(), entrance.moved.end());
      }
      all.insert(all.end(), added.begin(), added.end());
    }
    std::stable_sort(all.begin(), all.end(), [](const Replacement& one, const Replacement& other) { return one.range < other.range; });
    return all;
  }

  MutatedFile written(const FileSyntax& file, std::vector<Replacement> replacements) const {
    std::size_t const at = file.text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte-order mark stays first
    replacements.insert(replacements.begin(), {{at, at}, fmt::format("#include \"{}\"\n#line 1 \"{}\"\n", runtime_.string(), file.path)});
    std::string const text = spliced(file.text, {0, file.text.size()}, replacements);
    return {file.path, file.text, text, sha256(file.text), sha256(text), {}};
  }

  const std::map<std::string, FileSyntax>& files_;
  std::filesystem::path runtime_;
  std::map<std::string, FileHosts> hosts_;
  Rewritten rewritten_;
};

}  // namespace

std::vector<unsigned> functions_on_device(const Rewritten& rewritten) {
  std::vector<unsigned> numbers;
  for (std::size_t i = 0; i < rewritten.functions.size(); ++i)
    if (rewritten.functions[i].on_device) numbers.push_back(static_cast<unsigned>(i));
  return numbers;
}

Rewritten rewrite(const std::vector<Candidate>& candidates, const std::map<std::string, FileSyntax>& files,
                  const std::filesystem::path& runtime) {
  Rewriting rewriting(files, runtime);
  for (const Candidate& candidate : candidates) rewriting.add(candidate);
  return rewriting.finish();
}

}  // namespace redproof::mutants
