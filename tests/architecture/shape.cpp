#include <array>
#include <string_view>

#include "tests/architecture/rules.h"
#include "tests/architecture/source_text.h"

namespace redproof::tests {

namespace {

constexpr int file_lines = 400;
constexpr int header_lines = 100;

struct Document {
  std::string_view file;
  int lines;
};

constexpr std::array documents{Document{"AGENTS.md", 80}, Document{"README.md", 150}};
constexpr std::array<std::string_view, 6> named_rooms{"engine", "oracle", "properties", "gates", "mutants", "tests"};

Finding too_long(std::string const& file, int lines, int limit) {
  return {file, 0, std::to_string(lines) + " lines", "fewer than " + std::to_string(limit) + " are allowed"};
}

void check_source(Tree const& tree, std::string const& file, std::vector<Finding>& out) {
  std::string const text = tree.read(file);
  int const limit = is_header(file) ? header_lines : file_lines;
  if (count_lines(text) >= limit) out.push_back(too_long(file, count_lines(text), limit));
  if (!is_header(file) || is_below(file, "tests")) return;
  for (Body const& body : bodies_of(text)) {
    if (body.statements > 1) out.push_back({file, body.first_line, body.signature, "a header's body is one statement at most"});
  }
}

}  // namespace

std::vector<Finding> oversized(Tree const& tree) {
  std::vector<Finding> out;
  for (std::string const& file : tree.sources()) check_source(tree, file, out);
  for (Document const& document : documents) {
    std::string const file(document.file);
    if (!tree.has(file)) {
      out.push_back({file, 0, "document", "it is missing"});
    } else if (int const lines = count_lines(tree.read(file)); lines >= document.lines) {
      out.push_back(too_long(file, lines, document.lines));
    }
  }
  for (std::string_view room : named_rooms) {
    std::string const file = std::string(room) + "/README.md";
    if (!tree.has(file)) out.push_back({file, 0, "document", "a room says what it is for"});
  }
  return out;
}

}  // namespace redproof::tests
