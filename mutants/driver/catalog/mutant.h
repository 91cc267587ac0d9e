// A mutant as its file states it: one planted source defect and what must become of it.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace redproof::mutants {

enum class EditKind {
  text,
  swap_arguments,
  replace_argument,
  replace_operand,
  replace_expression,
  drop_factor,
  delete_statement,
  move_statement,
  force_condition,
  replace_operator,
  replace_literal,
  replace_name,
  narrow_type,
};

struct Edit {
  std::string file;       // relative to the root
  std::string function;   // plain or qualified; also a variable or a record. Empty for a text edit
  std::string signature;  // "(float, int)": tells overloads apart
  std::string through;    // the translation unit that a header is parsed through; empty: searched
  EditKind kind = EditKind::text;
  std::map<std::string, std::string> words;  // the keys of the kind; numbers and booleans as their JSON text

  bool has(const std::string& key) const { return words.contains(key); }
  const std::string& word(const std::string& key) const;  // empty where absent
};

struct Red {
  std::string gate;
  std::string law;        // empty only for a gate that is known by its exit code alone
  std::string message{};  // of such a gate: what it prints then, or empty
};

struct Witness {
  std::string gate;               // a gate that must stay green with the pristine counts ...
  std::vector<std::string> argv;  // ... or a command, run in the tree, that must exit 0
};

enum class Expectation { law, crash, timeout, oom };

struct Mutant {
  std::string id;  // GROUP/NAME
  std::string defect;
  std::string origin;
  std::vector<Edit> edits;
  std::vector<std::string> targets;
  std::vector<Red> reds;
  std::string build_message;  // instead of gates: the compiler must refuse it with this message
  std::vector<std::string> keeps_green;
  Expectation expects = Expectation::law;
  bool equivalent = false;
  Witness witness;
  std::string suppressed;  // the reason; empty: not suppressed
  bool generated = false;  // by an operator: it promises nothing, and any gate may kill it
  std::filesystem::path file;
  std::string file_sha256;

  std::vector<std::string> gates() const;  // every gate it names, each once
};

std::string_view word(EditKind kind);
std::string_view word(Expectation expects);

}  // namespace redproof::mutants
