#include "mutants/driver/schemata/clone.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "mutants/driver/find/match.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

bool is_loop(const Node& node) {
  return (node.kind == NodeKind::loop || node.kind == NodeKind::for_loop || node.kind == NodeKind::do_loop) && !node.children.empty();
}

// With the `;` that closes the last statement in it.
Range whole_statement(const Site& site, const Node& statement) {
  const Node* last = &statement;
  while (!last->children.empty() && last->kind != NodeKind::do_loop &&
         (is_loop(*last) || last->kind == NodeKind::if_statement || last->kind == NodeKind::label))
    last = &site.scope->nodes[static_cast<std::size_t>(last->children.back())];
  return {statement.range.begin, last->kind == NodeKind::compound ? statement.range.end : statement_range(site, *last).end};
}

// A loop's body, where it is written: the node that follows the loop's head.
std::optional<Range> loop_body(const Site& site, const Node& loop) {
  bool const body_first = loop.kind == NodeKind::do_loop;
  const Node& body = site.scope->nodes[static_cast<std::size_t>(body_first ? loop.children.front() : loop.children.back())];
  std::string_view const before = std::string_view(site.file->text).substr(loop.range.begin, body.range.begin - loop.range.begin);
  auto const tokens = token_texts(before);
  // A body that a macro writes is no node, and then the last child is a part of the head.
  if (tokens.empty() || tokens.back() != (body_first ? "do" : ")")) return std::nullopt;
  return body.kind == NodeKind::compound ? body.range : whole_statement(site, body);
}

// The two ends of each counted loop belong together: one counter, opened and (where it needs its own braces) closed.
struct Counter {
  Replacement open;
  std::optional<Replacement> close;
};

std::vector<Counter> counters_of(const Host& host, const FileSyntax& file) {
  Site const site{&file, host.scope, host.scope->nodes.front().range};
  std::vector<Counter> counters;
  std::string const tick = fmt::format("::redproof_schemata_tick({}u);", host.function);
  for (const Node& node : host.scope->nodes) {
    if (!is_loop(node)) continue;
    auto const body = loop_body(site, node);
    if (!body || body->begin < host.scope->shape.body.begin || body->end > host.scope->shape.body.end) continue;
    if (file.text[body->begin] == '{')
      counters.push_back({{{body->begin + 1, body->begin + 1}, tick}, std::nullopt});
    else
      counters.push_back({{{body->begin, body->begin}, "{" + tick}, Replacement{{body->end, body->end}, "}"}});
  }
  return counters;
}

bool is_inside(std::size_t at, const std::vector<Replacement>& replacements) {
  return std::any_of(replacements.begin(), replacements.end(),
                     [&](const Replacement& replacement) { return at > replacement.range.begin && at < replacement.range.end; });
}

// The body with its replacements and counters made. What a replacement takes away is not counted.
std::string body_with(const std::vector<Replacement>& replacements, const std::vector<Counter>& counters, const Host& host,
                      const FileSyntax& file) {
  std::vector<Replacement> all = replacements;
  for (const Counter& counter : counters) {
    if (is_inside(counter.open.range.begin, replacements)) continue;
    if (counter.close && is_inside(counter.close->range.begin, replacements)) continue;
    all.push_back(counter.open);
    if (counter.close) all.push_back(*counter.close);
  }
  std::stable_sort(all.begin(), all.end(), [](const Replacement& a, const Replacement& b) { return a.range < b.range; });
  Range const body = host.scope->shape.body;
  std::string text;
  std::size_t at = body.begin;
  for (const Replacement& replacement : all) {
    text.append(file.text, at, replacement.range.begin - at).append(replacement.text);
    at = replacement.range.end;
  }
  return text.append(file.text, at, body.end - at);
}

std::string captures_of(const FunctionShape& shape) {
  std::string list = shape.has_this ? "this" : "";
  for (const Parameter& parameter : shape.parameters)
    list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ", parameter.copied ? "" : "&", parameter.name, parameter.pack ? "..." : "");
  return list;
}

// A function that is left without a value would go on with the next body.
const char* end_of(const FunctionShape& shape) {
  if (shape.is_main) return " return 0;";
  return shape.is_void ? " return;" : " __builtin_trap();";
}

// In a function of its own where its result can be written: then the pristine body stays as small as it was for who inlines it.
// Of many bodies few run, so they are compiled for size: that is quicker.
constexpr std::size_t many_bodies = 60;

std::string called(const FunctionShape& shape, const std::string& marked_body, bool many) {
  if (shape.result.empty()) return fmt::format("{{{}{} }}", marked_body, end_of(shape));
  std::string const lambda = fmt::format("[{}]() mutable __attribute__((noinline{})) -> {} {{{}", captures_of(shape), many ? ", cold" : "",
                                         shape.result, marked_body);
  if (shape.is_void) return fmt::format("{{ {} }}(); return; }}", lambda);
  return fmt::format("return {} __builtin_trap(); }}();", lambda);
}

std::string marked(const std::string& marker, const FileSyntax& file, const Host& host, const std::string& body) {
  return fmt::format("\n#line {} \"{}/{}\"\n{}", line_of(file.text, host.scope->shape.body.begin), marker, file.path, body);
}

}  // namespace

std::string dispatch_of(const Host& host, const FileSyntax& file) {
  const FunctionShape& shape = host.scope->shape;
  auto const counters = counters_of(host, file);
  std::string cases;
  auto const add = [&](unsigned number, const std::string& marker, const std::vector<Replacement>& replacements) {
    std::string const body = marked(marker, file, host, body_with(replacements, counters, host, file));
    cases += fmt::format("\ncase {}: {}", number, called(shape, body, host.variants.size() > many_bodies));
  };
  add(0, fmt::format("redproof-copy-{}", host.function), {});
  for (const Variant& variant : host.variants) add(variant.mutant, fmt::format("redproof-mutant-{}", variant.mutant), variant.replacements);
  // A constant expression may run the pristine body alone.
  std::string const test = fmt::format("__builtin_expect(::redproof_schemata_gate[{}] != 0, 0)", host.function);
  std::string const guard = shape.is_constexpr ? fmt::format("!__builtin_is_constant_evaluated() && {}", test) : test;
  return fmt::format(" if ({}) switch (::redproof_schemata_enter({}u)) {{{}\ndefault: break; }}\n#line {} \"{}\"\n", guard, host.function,
                     cases, line_of(file.text, shape.body.begin), file.path);
}

}  // namespace redproof::mutants
