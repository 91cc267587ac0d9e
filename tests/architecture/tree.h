#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace redproof::tests {

// What a rule found. Printed as `file:line: text (why)`.
struct Finding {
  std::string file;  // relative to the tree, with '/'
  int line;          // from 1; 0: the file as a whole
  std::string text;
  std::string why;
};

std::string describe(std::vector<Finding> const& findings);

// A checkout: the files of its rooms, and those beside them at the top. Build folders and tool folders are no part of it.
class Tree {
 public:
  explicit Tree(std::filesystem::path root);
  std::vector<std::string> const& files() const { return files_; }  // sorted, relative
  std::vector<std::string> sources() const;                         // C++ and CUDA, headers included
  bool has(std::string const& file) const;
  std::string read(std::string const& file) const;

 private:
  std::filesystem::path root_;
  std::vector<std::string> files_;
};

bool is_header(std::string_view file);
bool is_below(std::string_view file, std::string_view folder);  // also true for the file itself
int count_lines(std::string_view text);
int line_of(std::string_view text, std::size_t offset);

}  // namespace redproof::tests
