// What a harness says that looks at exit codes alone, and how the program `mutate` is asked the same.
#pragma once
#include <string>
#include <vector>

#include "tests/mutants/fixture.h"

namespace redproof::lies {

inline constexpr const char* plantings[] = {"one_a_build", "schemata"};

using gates::ProcessResult;
using mutants::test::Project;
using mutants::test::TemporaryFolder;

// A project without a compiler: the program is the shell script src/prog, the build copies it. It prints what the C++ one prints.
void use_script(Project& project);
// Files that run.
void write_program(Project& project, const std::string& file, const std::string& text);
// A gate by the script gate.sh or by any command; `laws` is a JSON list.
void add_gate(Project& project, const std::string& id, const std::string& argv, const std::string& laws = "[]", int timeout_s = 3);
// A mutant that replaces text in one file.
void add_text_mutant(Project& project, const std::string& id, const std::string& file, const std::string& find, const std::string& replace,
                     const std::string& rest = Project::reds);

ProcessResult shell(const std::filesystem::path& folder, const std::string& script);

// Replaces the text where it first finds it, runs a command, puts the file back, and believes the exit code.
class Naive {
 public:
  explicit Naive(const Project& project);
  std::string judge(const std::string& file, const std::string& find, const std::string& replace,
                    const std::string& command = build_and_test);
  const std::filesystem::path& tree() const { return tree_; }

  static const std::string build_and_test;

 private:
  TemporaryFolder folder_;
  std::filesystem::path tree_;
};

bool says(const ProcessResult& result, const std::string& text);
// `mutate --planting PLANTING` of all mutants; nothing is taken from an earlier run.
ProcessResult planted(const Project& project, const std::string& planting, std::vector<std::string> words = {});

}  // namespace redproof::lies
