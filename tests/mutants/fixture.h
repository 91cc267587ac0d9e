// Tiny projects in fresh temporary folders: a program, its gates as shell scripts, a catalogue.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gates/runner/process.h"
#include "mutants/driver/find/syntax.h"
#include "mutants/driver/run/run.h"

namespace redproof::mutants::test {

// A folder that is removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void write(const std::filesystem::path& path, const std::string& text);
std::string read(const std::filesystem::path& path);

// A source as a.cpp of a folder of its own, with the trees of the scopes that `name` names.
FileSyntax parsed(const std::string& source, const std::string& name = "*");

// The text after one edit of SOURCE (file a.cpp), or "stale: WHY" or "broken: WHY". `edit` is JSON, e.g.
// {"function":"f","delete_statement":{...}}.
std::string edited(const std::string& source, const std::string& edit);

// The program prints three numbers: 24 (law pairs), -1 (law signs) and 2 (the elements that its gates say they checked). Gates: `both`
// (laws pairs and signs), `pairs` (that law alone), `exits` (exit code only). REDPROOF_LAB lies inside the folder while it lives.
class Project {
 public:
  explicit Project(const std::string& folder = "project");

  const std::filesystem::path& root() const { return root_; }
  void write(const std::string& file, const std::string& text) { test::write(root_ / file, text); }
  // `fields`: JSON members after id, defect and targets.
  void add_mutant(const std::string& id, const std::string& fields);
  // The same, of one edit in store.cpp and with the red gate and law pairs.
  void add_edit(const std::string& id, const std::string& function, const std::string& kind, const std::string& rest = reds);
  RunOptions options() const;
  RunReport run() const { return mutants::run(options()); }
  Record outcome_of(const std::string& id) const;  // of a run of this mutant alone
  // The program `mutate` with the catalogue and these words.
  gates::ProcessResult mutate(std::vector<std::string> words) const;
  // Over names, contents and links of the whole tree, less the output folders.
  std::string hash() const;
  std::filesystem::path lab_home() const { return folder_.path() / "labs"; }

  static constexpr const char* survivor = R"("replace_operator":{"expression":"k < 0","with":"<="})";
  static constexpr const char* swap = R"("swap_arguments":{"call":"pair","first":0,"second":1})";  // law pairs goes red
  static const std::string reds;  // "reds":[{"gate":"pairs","law":"pairs"}]

 private:
  TemporaryFolder folder_;
  std::filesystem::path root_;
};

// The folder of this test program, where `mutate` is as well.
std::filesystem::path program_folder();

}  // namespace redproof::mutants::test
