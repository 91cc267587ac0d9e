// A program of many kinds of functions, and what each mutant of it prints: chosen at run time, and alone.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "mutants/driver/schemata/echo.h"
#include "mutants/driver/schemata/rewrite.h"
#include "tests/mutants/fixture.h"

namespace redproof::mutants::test {

struct Edited {
  std::string find, replace;  // once in the source
  std::vector<Edited> more{};
};

struct Ran {
  int exit_code = -1;
  std::string output;
};

class Sample {
 public:
  Sample(const std::string& source, const std::vector<Edited>& mutants);

  // Compiled with every mutant in it; the compiler's words where it refuses.
  std::string build_all();
  // With `mutant` active (0: none, and every function counted; -1: no orders at all).
  Ran run_all(int mutant, std::uint64_t limit = 1'000'000);
  Ran run_alone(unsigned mutant) const;
  const Rewritten& rewritten() const { return rewritten_; }
  Echo echo() const;

 private:
  Ran compile(const std::string& source, const std::string& program) const;

  TemporaryFolder folder_;
  std::string source_;
  std::map<std::string, FileSyntax> syntax_;
  std::vector<std::vector<MutatedFile>> files_;
  Rewritten rewritten_;
};

}  // namespace redproof::mutants::test
