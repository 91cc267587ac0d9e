// Scripts that use `mutate` as a user does.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gates/runner/process.h"
#include "tests/mutants/fixture.h"

namespace redproof::mutants::test {

// By sh, in the project's root: $MUTATE is the program, git knows who commits, and no variable of a scheduler or a cache is there.
gates::ProcessResult run_script(const Project& project, const std::string& script,
                                std::vector<std::pair<std::string, std::string>> more = {});

bool says(const gates::ProcessResult& result, const std::string& text);
bool is_one_line(const std::string& text);

}  // namespace redproof::mutants::test
