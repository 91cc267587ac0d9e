#include "tests/mutants/shell.h"

#include <algorithm>

namespace redproof::mutants::test {

gates::ProcessResult run_script(const Project& project, const std::string& script, std::vector<std::pair<std::string, std::string>> more) {
  gates::ProcessSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.cwd = project.root();
  spec.set_env = std::move(more);
  spec.set_env.emplace_back("MUTATE", (program_folder() / "mutate").string());
  for (const char* who : {"AUTHOR", "COMMITTER"}) {
    spec.set_env.emplace_back(std::string("GIT_") + who + "_NAME", "a");
    spec.set_env.emplace_back(std::string("GIT_") + who + "_EMAIL", "a@b");
  }
  spec.set_env.emplace_back("GIT_CONFIG_GLOBAL", "/dev/null");
  spec.unset_env = {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "CI_NODE_INDEX", "MUTATE_JOB_INDEX", "REDPROOF_VERDICTS"};
  return gates::run_process(spec);
}

bool says(const gates::ProcessResult& result, const std::string& text) { return result.output.find(text) != std::string::npos; }

bool is_one_line(const std::string& text) { return std::count(text.begin(), text.end(), '\n') == 1 && text.ends_with('\n'); }

}  // namespace redproof::mutants::test
