#include "mutants/driver/schemata/clone.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "mutants/driver/find/match.h"
#include "mutants/driver/find/token.h"
#include "mutants/driver/schemata/shared.h"

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

// What runs a body: each counts, enters and ends in its own way.
struct Side {
  const char* tick;
  const char* trap;
  bool is_device;
};
constexpr Side on_host{"redproof_schemata_tick", "__builtin_trap();", false};
constexpr Side on_device{"redproof_schemata_device_tick", "__trap();", true};

// The two ends of each counted loop belong together: one counter, opened and (where it needs its own braces) closed.
struct Counter {
  Replacement open;
  std::optional<Replacement> close;
};

std::vector<Counter> counters_of(const Host& host, const FileSyntax& file, const Side& side) {
  Site const site{&file, host.scope, host.scope->nodes.front().range};
  std::vector<Counter> counters;
  std::string const tick = fmt::format("::{}({}u);", side.tick, host.function);
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

bool overlap(const Replacement& one, const std::vector<Replacement>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const Replacement& other) { return one.range.begin < other.range.end && other.range.begin < one.range.end; });
}

// Everything that the bodies of one function have in common on one side.
struct Bodies {
  const Host& host;
  const FileSyntax& file;
  const Side& side;
  std::vector<Counter> counters;
  std::vector<Replacement> added;
  SharedMemory shared;
};

// A mutant that changes what decides about shared memory has its own.
void leave_out_shared(const Bodies& bodies, const std::vector<Replacement>& replacements, std::vector<Replacement>& all) {
  bool const changed = std::any_of(bodies.shared.decided_by.begin(), bodies.shared.decided_by.end(),
                                   [&](Range range) { return overlap({range, {}}, replacements); });
  if (!changed) all.insert(all.end(), bodies.shared.blanks.begin(), bodies.shared.blanks.end());
}

// The body with its replacements and counters made. What a replacement takes away is not counted.
std::string body_with(const std::vector<Replacement>& replacements, const Bodies& bodies) {
  std::vector<Replacement> all = replacements;
  for (const Counter& counter : bodies.counters) {
    if (is_inside(counter.open.range.begin, replacements)) continue;
    if (counter.close && is_inside(counter.close->range.begin, replacements)) continue;
    all.push_back(counter.open);
    if (counter.close) all.push_back(*counter.close);
  }
  for (const Replacement& one : bodies.added)
    if (!is_inside(one.range.begin, replacements)) all.push_back(one);
  leave_out_shared(bodies, replacements, all);
  std::stable_sort(all.begin(), all.end(), [](const Replacement& a, const Replacement& b) { return a.range < b.range; });
  return spliced(bodies.file.text, bodies.host.scope->shape.body, all);
}

std::string joined(const std::string& list, const std::string& item) { return list.empty() ? item : list + ", " + item; }

// How a lambda that stands for the body gets at what the body names.
struct Entry {
  std::string captures, parameters, arguments;
};

Entry entry_of(const FunctionShape& shape, const Side& side) {
  Entry entry;
  if (shape.has_this) entry.captures = "this";
  for (const Parameter& parameter : shape.parameters) {
    const char* const dots = parameter.pack ? "..." : "";
    if (!side.is_device) {
      entry.captures = joined(entry.captures, fmt::format("{}{}{}", parameter.copied ? "" : "&", parameter.name, dots));
      continue;
    }
    // A closure would lie in memory, and each case's in its own, of every thread there is.
    entry.parameters = joined(entry.parameters, fmt::format("decltype({}){} {}", parameter.name, dots, parameter.name));
    entry.arguments = joined(entry.arguments, parameter.name + dots);
  }
  return entry;
}

// A function that is left without a value would go on with the next body.
std::string end_of(const FunctionShape& shape, const Side& side) {
  if (shape.is_main) return " return 0;";
  return shape.is_void ? " return;" : std::string(" ") + side.trap;
}

// In a function of its own where its result can be written: then the pristine body stays as small as it was for who inlines it.
// Of many bodies few run, so they are compiled for size: that is quicker.
constexpr std::size_t many_bodies = 60;

std::string called(const Bodies& bodies, const std::string& marked_body) {
  const FunctionShape& shape = bodies.host.scope->shape;
  if (shape.result.empty()) return fmt::format("{{{}{} }}", marked_body, end_of(shape, bodies.side));
  bool const many = bodies.host.variants.size() > many_bodies && !bodies.side.is_device;
  Entry const entry = entry_of(shape, bodies.side);
  std::string const lambda = fmt::format("[{}]({}) mutable __attribute__((noinline{})) -> {} {{{}", entry.captures, entry.parameters,
                                         many ? ", cold" : "", shape.result, marked_body);
  if (shape.is_void) return fmt::format("{{ {} }}({}); return; }}", lambda, entry.arguments);
  return fmt::format("return {} {} }}({});", lambda, bodies.side.trap, entry.arguments);
}

std::string marked(const std::string& marker, const Bodies& bodies, const std::string& text) {
  std::size_t const line = line_of(bodies.file.text, bodies.host.scope->shape.body.begin);
  return fmt::format("\n#line {} \"{}/{}\"\n{}", line, marker, bodies.file.path, text);
}

std::string cases_of(const Bodies& bodies) {
  std::string cases;
  auto const add = [&](unsigned number, const std::string& marker, const std::vector<Replacement>& replacements) {
    cases += fmt::format("\ncase {}: {}", number, called(bodies, marked(marker, bodies, body_with(replacements, bodies))));
  };
  add(0, fmt::format("redproof-copy-{}", bodies.host.function), {});
  for (const Variant& variant : bodies.host.variants)
    add(variant.mutant, fmt::format("redproof-mutant-{}", variant.mutant), variant.replacements);
  return cases;
}

std::string host_dispatch(const Bodies& bodies) {
  unsigned const function = bodies.host.function;
  // A constant expression may run the pristine body alone.
  std::string const test = fmt::format("__builtin_expect(::redproof_schemata_gate[{}] != 0, 0)", function);
  std::string const guard = bodies.host.scope->shape.is_constexpr ? fmt::format("!__builtin_is_constant_evaluated() && {}", test) : test;
  return fmt::format(" if ({}) switch (::redproof_schemata_enter({}u)) {{{}\ndefault: break; }}", guard, function, cases_of(bodies));
}

// The declarations that all bodies share stand in front, as part of the counting copy where the compiler refuses one.
std::string device_dispatch(const Bodies& bodies) {
  unsigned const function = bodies.host.function;
  std::string const shared = bodies.shared.declarations.empty()
                                 ? std::string()
                                 : marked(fmt::format("redproof-copy-{}", function), bodies, bodies.shared.declarations) + "\n";
  std::string const test = fmt::format("(::redproof_schemata_device.gate[{}] >> {} & 1u) != 0", function / 32, function % 32);
  std::string const guard = bodies.host.scope->shape.is_constexpr ? fmt::format("!__builtin_is_constant_evaluated() && {}", test) : test;
  return fmt::format("{} if ({}) switch (::redproof_schemata_device_enter({}u)) {{{}\ndefault: break; }}", shared, guard, function,
                     cases_of(bodies));
}

}  // namespace

SecondEntrance second_entrance(const Host& host, const FileSyntax& file, const std::vector<Replacement>& added) {
  const FunctionShape& shape = host.scope->shape;
  SecondEntrance made;
  std::string on_the_device, on_the_host;
  if (shape.on_device) {
    Bodies const bodies{host, file, on_device, counters_of(host, file, on_device), {}, shared_memory(*host.scope, file)};
    on_the_device = device_dispatch(bodies);
    made.moved = bodies.shared.moved;
  }
  if (shape.on_host) on_the_host = host_dispatch({host, file, on_host, counters_of(host, file, on_host), added, {}});
  // In the device's pass over a host function nothing else may stand than its own body: a constant expression may run there.
  if (shape.on_device && shape.on_host)
    made.dispatch = "\n#ifdef __CUDA_ARCH__\n" + on_the_device + "\n#else\n" + on_the_host + "\n#endif";
  else if (file.is_cuda && shape.on_host)
    made.dispatch = "\n#ifndef __CUDA_ARCH__\n" + on_the_host + "\n#endif";
  else
    made.dispatch = on_the_device + on_the_host;
  made.dispatch += fmt::format("\n#line {} \"{}\"\n", line_of(file.text, shape.body.begin), file.path);
  return made;
}

}  // namespace redproof::mutants
