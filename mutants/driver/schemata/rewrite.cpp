#include "mutants/driver/schemata/rewrite.h"

#include <fmt/format.h>

#include <algorithm>

#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/schemata/clone.h"

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

bool is_cpp(const std::string& path) {
  static const std::vector<std::string> endings = {".cpp", ".cc", ".cxx", ".C", ".h", ".hpp", ".hh", ".hxx", ".inc", ".ipp"};
  std::string const ending = std::filesystem::path(path).extension().string();
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
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
    for (auto& [path, hosts] : hosts_) rewritten_.files.push_back(written(files_.at(path), hosts));
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
      rewritten_.functions.push_back({path, host.scope->name, host.scope->line, host.scope->shape.is_constexpr});
      for (const Variant& variant : host.variants) rewritten_.functions_of[variant.mutant].push_back(host.function);
    }
  }

  MutatedFile written(const FileSyntax& file, const FileHosts& hosts) const {
    bool const marked = file.text.starts_with("\xEF\xBB\xBF");  // a byte-order mark stays first
    std::size_t at = marked ? 3 : 0;
    std::string text = file.text.substr(0, at);
    text += fmt::format("#include \"{}\"\n#line 1 \"{}\"\n", runtime_.string(), file.path);
    for (const auto& [place, host] : hosts) {
      text.append(file.text, at, place + 1 - at).append(dispatch_of(host, file));
      at = place + 1;
    }
    text.append(file.text, at);
    return {file.path, file.text, text, sha256(file.text), sha256(text), {}};
  }

  const std::map<std::string, FileSyntax>& files_;
  std::filesystem::path runtime_;
  std::map<std::string, FileHosts> hosts_;
  Rewritten rewritten_;
};

}  // namespace

Rewritten rewrite(const std::vector<Candidate>& candidates, const std::map<std::string, FileSyntax>& files,
                  const std::filesystem::path& runtime) {
  Rewriting rewriting(files, runtime);
  for (const Candidate& candidate : candidates) rewriting.add(candidate);
  return rewriting.finish();
}

}  // namespace redproof::mutants
