#include "mutants/driver/report/schemas.h"

#include <fmt/format.h>

#include <array>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/outcome.h"

namespace redproof::mutants {
namespace {

// In these, 'NAME' stands for a type: 't' text, 'n' natural number, 'f' number, 'b' boolean, 'T' list of texts, 'x' number or "nan", "inf",
// "-inf"; so that a document's fields can be read at a glance. Every field is required and no other is allowed.
constexpr std::string_view plan_fields =
    "{schema:s:redproof.plan.1,tool:t,root:t,tree_sha256:t,planting:t,seed:n,timeout_factor:f,matrix:b,targets:T,mutants:[{id:t,defect:t,"
    "key:t,"
    "files:[{path:t,before:t,after:t}],stale:t,broken:t,suppressed:t,targets:T,reds:[{gate:t,law:t,message:t}],keeps_green:T,expects:t,"
    "generated:b,equivalent:b,witness_gate:t}]}";
constexpr std::string_view record_fields =
    "{id:t,key:t,outcome:o,as_declared:b,reason:t,files:[{path:t,before:t,mutated:t,restored:t}],build:{ran:b,exit_code:f,seconds:f,error:"
    "t},"
    "programs:[{path:t,before:t,mutated:t}],code:t,edits:[{edit:t,effect:t}],gates:[{gate:t,role:t,stage:t,verdict:t,reason:t,law:t,"
    "elements:n,"
    "pristine_"
    "elements:n,failures:n,"
    "worst:?{where:t,inputs:t,observed:t,truth:t,error:x,bound:x},exit_code_only:b,confined:b,out_of_memory:b,hits:?n,seconds:f}],"
    "attempts:[{what:t,alone:b,limit_seconds:f,seconds:f,timed_out:b,ending:t}],planting:t,planting_reason:t,seconds:f,reused:b,cached:b}";
constexpr std::string_view score_fields =
    "{killed:n,ended_otherwise:n,alive:n,undecided:n,set_aside:n,not_run:n,all:n,judged:n,killed_percent:?f,by_named_law:n,"
    "by_named_law_percent:?f,before_merge:n,before_merge_percent:?f,by_one_gate:T,twins:T,idle_gates:T,killing_set:T}";
constexpr std::string_view selection_fields = "{schema:s:redproof.selection.1,catalog_sha256:t,shard:{index:n,count:n},selected:T}";
constexpr std::string_view prepared_fields =
    "{schema:s:redproof.prepared.1,tree_sha256:t,lab:{bin:t,gates:t,programs:T},pristine:[{gate:t,verdict:t,seconds:f,exit_code_only:b,"
    "laws:[{law:t,subject:t,elements:n}]}],numbering:{functions:[{path:t,name:t,line:n,constexpr:b}],mutants:[{id:t,number:n,functions:N}]}"
    "}";
constexpr std::string_view end_fields = "{schema:s:redproof.end.1,exit_codes:N,notes:T,seconds:f}";

constexpr std::string_view environment_fields =
    "{schema:s:redproof.environment.1,tool:t,system:t,processor:t,cores:n,memory_bytes:n,graphics:t,parser:t,"
    "compilers:[{program:t,version:t}]}";

std::string sums_fields() {
  std::string text = "{";
  for (Outcome const outcome : all_outcomes) text += fmt::format("{}:n,", word(outcome));
  return text + "not_run:n,all:n}";
}

std::string report_fields() {
  return fmt::format(
      "{{schema:s:redproof.mutate.1,tool:t,root:t,tree_sha256:t,planting:t,seed:n,mutants:[{}],sums:{},scores:{},notes:T,seconds:f,"
      "exit_code:n}}",
      record_fields, sums_fields(), score_fields);
}

std::string outcome_words() {
  std::string words;
  for (Outcome const outcome : all_outcomes) words += fmt::format("{}\"{}\"", words.empty() ? "" : ",", word(outcome));
  return fmt::format("{{\"enum\":[{}]}}", words);
}

// Turns the shorthand above into a schema.
class Writer {
 public:
  explicit Writer(std::string_view fields) : text_(fields) {}

  std::string value() {
    if (take('?')) return fmt::format("{{\"anyOf\":[{},{{\"type\":\"null\"}}]}}", value());
    if (take('{')) return object();
    if (take('[')) {
      std::string const items = value();
      take(']');
      return fmt::format("{{\"type\":\"array\",\"items\":{}}}", items);
    }
    return scalar();
  }

 private:
  bool take(char c) {
    bool const there = at_ < text_.size() && text_[at_] == c;
    at_ += there ? 1 : 0;
    return there;
  }

  std::string_view word_up_to(std::string_view ends) {
    auto const end = std::min(text_.find_first_of(ends, at_), text_.size());
    std::string_view const word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  std::string object() {
    std::string names, members;
    while (!take('}')) {
      take(',');
      std::string_view const name = word_up_to(":");
      take(':');
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", name);
      members += fmt::format("{}\"{}\":{}", members.empty() ? "" : ",", name, value());
    }
    return fmt::format("{{\"type\":\"object\",\"required\":[{}],\"additionalProperties\":false,\"properties\":{{{}}}}}", names, members);
  }

  std::string scalar() {
    switch (text_[at_++]) {
      case 't':
        return R"({"type":"string"})";
      case 'n':
        return R"({"type":"integer","minimum":0})";
      case 'f':
        return R"({"type":"number"})";
      case 'b':
        return R"({"type":"boolean"})";
      case 'T':
        return R"({"type":"array","items":{"type":"string"}})";
      case 'N':
        return R"({"type":"array","items":{"type":"integer","minimum":0}})";
      case 'x':
        return R"({"anyOf":[{"type":"number"},{"enum":["nan","inf","-inf"]}]})";
      case 'o':
        return outcome_words();
      default:  // s:WORD
        take(':');
        return fmt::format("{{\"enum\":[\"{}\"]}}", word_up_to(",}"));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr std::array<std::string_view, 7> names{"plan", "outcomes", "report", "selection", "end", "prepared", "environment"};

std::string fields_of(std::string_view name) {
  if (name == "plan") return std::string(plan_fields);
  if (name == "outcomes") return std::string(record_fields);
  if (name == "report") return report_fields();
  if (name == "selection") return std::string(selection_fields);
  if (name == "end") return std::string(end_fields);
  if (name == "prepared") return std::string(prepared_fields);
  if (name == "environment") return std::string(environment_fields);
  throw gates::Refusal(fmt::format("schema {}: there is none; there are {}", gates::printable(name), fmt::join(names, ", ")));
}

}  // namespace

std::span<const std::string_view> schema_names() { return names; }

std::string schema_of(std::string_view name) {
  std::string const fields = fields_of(name);
  std::string const body = Writer(fields).value();
  return fmt::format("{{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"title\":\"{}\",{}\n", name, body.substr(1));
}

}  // namespace redproof::mutants
