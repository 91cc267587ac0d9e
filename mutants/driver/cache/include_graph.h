// Which sources may include a file: by the names in their texts alone, so never too few.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mutants/driver/find/compile_database.h"

namespace redproof::mutants {

class IncludeGraph {
 public:
  // Of `files` of the tree, those that the build has made too, and of the sources that the database compiles.
  IncludeGraph(const std::filesystem::path& tree, const std::vector<std::string>& files, const CompileDatabase& database);

  // The commands whose source is `file` or includes it, by itself or through others, whatever folder the name is found in. Nothing where a
  // source may include it that no command compiles and no file includes. A command that has made nothing yet is of no program.
  std::optional<std::vector<const CompileCommand*>> units_of(const std::string& file) const;

 private:
  using Names = std::set<std::string>;  // last parts of paths

  void scan(const std::string& file);
  bool reaches(const Names& includes, const Names& names) const;
  std::set<std::string> reaching(const std::string& file) const;

  std::filesystem::path tree_;
  std::map<std::string, Names> includes_;  // by file; "*" for one that is named by a macro
  std::map<std::string, std::vector<const CompileCommand*>> commands_;
  Names included_;
};

// Whether the command names what it makes, and that is not there.
bool has_made_nothing(const CompileCommand& command);

}  // namespace redproof::mutants
