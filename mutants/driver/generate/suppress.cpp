#include "mutants/driver/generate/suppress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gates/runner/refusal.h"
#include "mutants/driver/find/match.h"
#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/operators.h"

namespace redproof::mutants {
namespace {

constexpr std::string_view mark = "// mutate: skip";

struct Rule {
  std::string_view name;  // of what is called; with `*` at the end: everything that starts so
  std::string_view reason;
};

constexpr std::array<Rule, 34> rules = {{{"fmt::*", "arid: a message"},
                                         {"spdlog::*", "arid: logging"},
                                         {"std::format", "arid: a message"},
                                         {"std::print", "arid: printing"},
                                         {"std::println", "arid: printing"},
                                         {"printf", "arid: printing"},
                                         {"fprintf", "arid: printing"},
                                         {"std::printf", "arid: printing"},
                                         {"std::fprintf", "arid: printing"},
                                         {"puts", "arid: printing"},
                                         {"std::puts", "arid: printing"},
                                         {"fputs", "arid: printing"},
                                         {"std::fputs", "arid: printing"},
                                         {"perror", "arid: printing"},
                                         {"std::perror", "arid: printing"},
                                         {"syslog", "arid: logging"},
                                         {"log_message", "arid: logging"},
                                         {"log_error", "arid: logging"},
                                         {"log_warning", "arid: logging"},
                                         {"log_info", "arid: logging"},
                                         {"log_debug", "arid: logging"},
                                         {"reserve", "arid: capacity"},
                                         {"shrink_to_fit", "arid: capacity"},
                                         {"rehash", "arid: capacity"},
                                         {"malloc_trim", "arid: capacity"},
                                         {"__assert_fail", "arid: an assertion"},
                                         {"__builtin_prefetch", "arid: a hint"},
                                         {"_mm_prefetch", "arid: a hint"},
                                         {"__builtin_expect", "arid: a hint"},
                                         {"__builtin_assume_aligned", "arid: a hint"},
                                         {"madvise", "arid: a hint"},
                                         {"posix_fadvise", "arid: a hint"},
                                         {"pthread_setname_np", "arid: a name for people"},
                                         {"what", "arid: the text of an exception"}}};

bool matches(std::string_view pattern, const Node& call) {
  if (pattern.ends_with('*')) return call.qualified.starts_with(pattern.substr(0, pattern.size() - 1));
  return call.qualified == pattern || call.name == pattern;
}

bool is_stream_output(const Node& node) {
  return node.kind == NodeKind::call && node.op == "<<" && node.type.spelling.find("basic_ostream") != std::string::npos;
}

// An assertion is a macro, so that what it tests stands below nodes of the macro's body.
bool is_assertion(const Spot& spot) {
  if (!spot.node().from_macro) return false;
  std::string_view const text = spot.text();
  return text.starts_with("assert") || text.starts_with("DCHECK") || text.starts_with("ASSERT");
}

std::string reason_here(const Spot& spot) {
  const Node& node = spot.node();
  if (is_stream_output(node)) return "arid: printing";
  if (is_assertion(spot)) return "arid: an assertion";
  if (node.kind != NodeKind::call) return {};
  auto const rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& one) { return matches(one.name, node); });
  return rule == rules.end() ? std::string() : std::string(rule->reason);
}

// Functions that only make text about something else.
bool is_for_display(const Scope& scope) {
  return scope.symbol.ends_with("::what") || scope.symbol == "debug_string" || scope.symbol.ends_with("::debug_string") ||
         (scope.symbol.ends_with("operator<<") && scope.signature.find("ostream") != std::string::npos);
}

bool is_alone_on_its_line(std::string_view source, std::size_t at) {
  auto const line = source.rfind('\n', at);
  std::size_t const begin = line == std::string_view::npos ? 0 : line + 1;
  return source.substr(begin, at - begin).find_first_not_of(" \t") == std::string_view::npos;
}

Range line_range(std::string_view source, std::size_t at) {
  auto const before = at == 0 ? std::string_view::npos : source.rfind('\n', at - 1);
  auto const after = source.find('\n', at);
  return {before == std::string_view::npos ? 0 : before + 1, after == std::string_view::npos ? source.size() : after};
}

// Quoted by another comment.
bool is_inside_comment(std::string_view source, std::size_t gap, std::size_t at) {
  for (std::size_t begin = gap; begin < at;) {
    bool const block = source.substr(begin, 2) == "/*";
    if (!block && source.substr(begin, 2) != "//") {
      ++begin;
      continue;
    }
    std::size_t const end = block ? source.find("*/", begin + 2) : source.find('\n', begin);
    if (end == std::string_view::npos || end > at) return true;
    begin = end + (block ? 2 : 1);
  }
  return false;
}

// The largest node that starts where the next token does, or else first on that token's line.
Range following_node(const FileSyntax& file, std::size_t after) {
  Token const next = token_at(file.text, after);
  if (next.begin == std::string_view::npos) return {};
  Range const line{next.begin, line_range(file.text, next.begin).end};
  Range best;
  bool has_attribute = false;
  for (const Scope& scope : file.scopes)
    for (const Node& node : scope.nodes) {
      if (node.range.begin < line.begin || node.range.begin >= line.end) continue;
      if (node.parent >= 0 && node.range.begin < scope.nodes[static_cast<std::size_t>(node.parent)].range.begin) {
        has_attribute = true;
        continue;
      }
      bool const earlier = best.end == 0 || node.range.begin < best.begin;
      if (earlier || (node.range.begin == best.begin && node.range.end > best.end)) best = node.range;
    }
  return best.end == 0 && has_attribute ? following_node(file, line.end) : best;
}

std::string_view trimmed(std::string_view text, std::string_view what) {
  auto const first = text.find_first_not_of(what), last = text.find_last_not_of(what);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

[[noreturn]] void refuse(const FileSyntax& file, const SkipComment& comment, const std::string& what) {
  throw gates::Refusal(fmt::format("{}:{}: `mutate: skip` {}", file.path, comment.line, what));
}

// Takes ``NAME `TEXT` `` off the front of `text`, up to what follows it.
SkippedOperator take_operator(std::string_view& text, const FileSyntax& file, const SkipComment& comment) {
  auto const end = text.find_first_of("`,)");
  if (end == std::string_view::npos) refuse(file, comment, "has no `)`");
  SkippedOperator taken{std::string(trimmed(text.substr(0, end), " ")), {}};
  bool const known = std::any_of(operators().begin(), operators().end(), [&](const Operator& one) { return one.name == taken.name; });
  if (!known) refuse(file, comment, fmt::format("names no operator: `{}`", taken.name));
  text.remove_prefix(end);
  if (!text.starts_with('`')) return taken;
  auto const close = text.find('`', 1);
  if (close == std::string_view::npos) refuse(file, comment, "has no second '`'");
  taken.text = text.substr(1, close - 1);
  text.remove_prefix(std::min(text.find_first_not_of(' ', close + 1), text.size()));
  return taken;
}

// Takes `(OPERATOR, ...)` off the front of `text`.
std::vector<SkippedOperator> take_operators(std::string_view& text, const FileSyntax& file, const SkipComment& comment) {
  if (!text.starts_with('(')) return {{}};
  std::vector<SkippedOperator> list;
  do {
    text.remove_prefix(1);
    list.push_back(take_operator(text, file, comment));
  } while (text.starts_with(','));
  if (!text.starts_with(')')) refuse(file, comment, "has no `)`");
  text.remove_prefix(1);
  return list;
}

SkipComment read_comment(const FileSyntax& file, std::size_t at) {
  Range const line = line_range(file.text, at);
  std::string_view rest = std::string_view(file.text).substr(at + mark.size(), line.end - at - mark.size());
  SkipComment comment;
  comment.line = line_of(file.text, at);
  comment.operators = take_operators(rest, file, comment);
  comment.reason = trimmed(rest, " :\r");
  if (comment.reason.empty()) refuse(file, comment, "needs a reason");
  comment.covers = is_alone_on_its_line(file.text, at) ? following_node(file, at) : line;
  return comment;
}

}  // namespace

std::vector<SkipComment> skip_comments(const FileSyntax& file) {
  std::vector<SkipComment> comments;
  std::string_view const source = file.text;
  // Comments are what lies between two tokens.
  std::size_t gap = 0;
  for (Token token = token_at(source, 0);; token = token_at(source, token.end)) {
    std::size_t const end = std::min(token.begin, source.size());
    for (auto at = source.find(mark, gap); at < end; at = source.find(mark, at + 1))
      if (!is_inside_comment(source, gap, at)) comments.push_back(read_comment(file, at));
    if (token.begin == std::string_view::npos) return comments;
    gap = token.end;
  }
}

bool suppresses(SkipComment& comment, std::string_view operator_name, std::string_view text, std::size_t at) {
  if (at < comment.covers.begin || at >= comment.covers.end) return false;
  bool does = false;
  for (SkippedOperator& one : comment.operators) {
    bool const named = one.name.empty() || one.name == operator_name;
    bool const made = one.text.empty() || same_tokens(one.text, text);
    if (named && made) does = one.used = true;
  }
  return does;
}

std::string arid_reason(const Spot& spot) {
  if (is_for_display(*spot.tree->scope)) return "arid: text for people";
  if (std::string reason = reason_here(spot); !reason.empty()) return reason;
  for (auto above = parent_of(spot); above; above = parent_of(*above)) {
    if (above->node().form == Form::throw_expression) return "arid: the text of an exception";
    if (std::string reason = reason_here(*above); !reason.empty()) return reason;
  }
  return {};
}

}  // namespace redproof::mutants
