// One mutant file, key by key; anything it does not know is refused.
#include <fmt/format.h>

#include <algorithm>

#include "gates/runner/catalog.h"
#include "gates/runner/json_document.h"
#include "mutants/driver/catalog/catalog.h"
#include "mutants/driver/catalog/edit_kinds.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

using gates::JsonValue;

std::string word_of(const JsonValue& value) {
  if (value.is_bool()) return value.boolean() ? "true" : "false";
  if (value.is_number()) return std::to_string(value.natural(1000));
  return value.text();
}

bool contains(const std::vector<std::string_view>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// `with`, `replace`, `to`: the new text. An edit keeps the number of lines, so only a text edit may hold line breaks.
void check_word(const EditGrammar& grammar, const JsonValue& value, const std::string& key, const std::string& word) {
  bool const may_be_empty = key == "replace" || (key == "with" && grammar.kind == EditKind::replace_operator);
  if (word.empty() && !may_be_empty) value.refuse("is empty");
  if (grammar.kind != EditKind::text && (key == "with" || key == "to") && word.find_first_of("\r\n") != std::string::npos)
    value.refuse("holds a line break");
}

void read_words(const EditGrammar& grammar, const JsonValue& body, Edit& edit) {
  for (const auto& [key, value] : body.members()) {
    if (!contains(grammar.required, key) && !contains(grammar.one_of, key) && !contains(grammar.optional, key))
      value.refuse("is no key of " + std::string(grammar.name));
    edit.words[key] = word_of(value);
    check_word(grammar, value, key, edit.words[key]);
  }
  for (std::string_view const key : grammar.required) body.at(key);
  auto const given = std::count_if(grammar.one_of.begin(), grammar.one_of.end(), [&](auto key) { return edit.has(std::string(key)); });
  if (!grammar.one_of.empty() && given != 1) body.refuse(fmt::format("needs exactly one of {}", fmt::join(grammar.one_of, ", ")));
}

const EditGrammar& grammar_of(const JsonValue& value) {
  const EditGrammar* found = nullptr;
  for (const auto& [key, member] : value.members()) {
    for (const EditGrammar& grammar : edit_grammars()) {
      if (grammar.name != key) continue;
      if (found != nullptr) member.refuse("is a second kind of edit");
      found = &grammar;
    }
  }
  if (found == nullptr) value.refuse("names no kind of edit");
  return *found;
}

void check_path(const JsonValue& value, const std::string& path) {
  if (!is_safe_path(path)) value.refuse("must be a path inside the root, without ..");
}

Edit read_edit(const JsonValue& value) {
  const EditGrammar& grammar = grammar_of(value);
  Edit edit;
  edit.kind = grammar.kind;
  edit.file = value.at("file").text();
  check_path(value.at("file"), edit.file);
  if (edit.kind == EditKind::text) {
    value.allow_only({"file", "text"});
  } else {
    value.allow_only({"file", "function", "signature", "through", grammar.name});
    edit.function = value.at("function").nonempty_text();
    if (auto const signature = value.find("signature")) edit.signature = signature->nonempty_text();
    if (auto const through = value.find("through")) {
      edit.through = through->text();
      check_path(*through, edit.through);
    }
  }
  read_words(grammar, value.at(grammar.name), edit);
  return edit;
}

void read_edits(const JsonValue& root, Mutant& mutant) {
  auto const one = root.find("edit");
  auto const many = root.find("edits");
  if (one.has_value() == many.has_value()) root.refuse("needs exactly one of edit, edits");
  if (one) mutant.edits.push_back(read_edit(*one));
  if (many)
    for (const JsonValue& edit : many->items()) mutant.edits.push_back(read_edit(edit));
  if (mutant.edits.empty()) many->refuse("is empty");
}

void read_red(const JsonValue& value, Mutant& mutant) {
  if (auto const message = value.find("build")) {
    value.allow_only({"build"});
    mutant.build_message = message->nonempty_text();
    return;
  }
  value.allow_only({"gate", "law", "message"});
  Red red{value.at("gate").nonempty_text(), {}};
  if (auto const law = value.find("law")) red.law = law->nonempty_text();
  if (auto const message = value.find("message")) {
    if (!red.law.empty()) message->refuse("stands beside a law, which says what is wrong");
    red.message = message->nonempty_text();
  }
  for (const Red& other : mutant.reds)
    if (other.gate == red.gate && other.law == red.law && other.message == red.message) value.refuse("is there twice");
  mutant.reds.push_back(red);
}

void read_reds(const JsonValue& root, Mutant& mutant) {
  auto const reds = root.find("reds");
  if (!reds) return;
  if (reds->is_object()) return read_red(*reds, mutant);
  for (const JsonValue& red : reds->items()) read_red(red, mutant);
  if (!mutant.build_message.empty() && !mutant.reds.empty()) reds->refuse("names both gates and a build message");
}

Expectation read_expectation(const JsonValue& value) {
  for (Expectation const expects : {Expectation::crash, Expectation::timeout, Expectation::oom})
    if (value.text() == word(expects)) return expects;
  value.refuse("must be crash, timeout or oom");
}

void read_witness(const JsonValue& value, Mutant& mutant) {
  value.allow_only({"witness"});
  JsonValue const witness = value.at("witness");
  witness.allow_only({"gate", "argv"});
  if (auto const gate = witness.find("gate")) mutant.witness.gate = gate->nonempty_text();
  if (auto const argv = witness.find("argv")) mutant.witness.argv = argv->texts();
  if (mutant.witness.gate.empty() == mutant.witness.argv.empty()) witness.refuse("needs exactly one of gate, argv");
  mutant.equivalent = true;
}

// What is promised has to be said: gates, a build message, equivalence or a reason for suppression, and no two that contradict.
void check_promise(const JsonValue& root, const Mutant& mutant) {
  bool const names_red = !mutant.reds.empty() || !mutant.build_message.empty();
  if (mutant.equivalent && names_red) root.refuse("is declared equivalent and names a red gate");
  if (!names_red && !mutant.equivalent && mutant.suppressed.empty()) root.refuse("names no gate in reds");
  if (mutant.expects != Expectation::law && mutant.reds.empty()) root.refuse("expects needs the gate in reds");
  for (const Red& red : mutant.reds)
    if (std::find(mutant.keeps_green.begin(), mutant.keeps_green.end(), red.gate) != mutant.keeps_green.end())
      root.refuse("names gate " + red.gate + " both red and green");
}

}  // namespace

Mutant load_mutant(const std::filesystem::path& file, const std::string& id) {
  auto const document = gates::JsonDocument::read(file);
  JsonValue const root = document.root();
  root.allow_only({"id", "defect", "origin", "edit", "edits", "targets", "reds", "keeps_green", "expects", "equivalent", "suppressed"});
  Mutant mutant;
  mutant.file = file;
  mutant.file_sha256 = sha256_of_file(file);
  mutant.id = root.at("id").text();
  if (mutant.id != id) root.at("id").refuse("must be " + id + ", as its path says");
  mutant.defect = root.at("defect").nonempty_text();
  if (auto const origin = root.find("origin")) mutant.origin = origin->nonempty_text();
  read_edits(root, mutant);
  if (auto const targets = root.find("targets")) mutant.targets = targets->texts();
  for (const std::string& target : mutant.targets)
    if (target.empty() || target.front() == '-') root.at("targets").refuse("holds no target: " + target);
  read_reds(root, mutant);
  if (auto const green = root.find("keeps_green")) mutant.keeps_green = green->texts();
  if (auto const expects = root.find("expects")) mutant.expects = read_expectation(*expects);
  if (auto const equivalent = root.find("equivalent")) read_witness(*equivalent, mutant);
  if (auto const suppressed = root.find("suppressed")) mutant.suppressed = suppressed->nonempty_text();
  check_promise(root, mutant);
  return mutant;
}

}  // namespace redproof::mutants
