#include "tests/mutants/schemata/sample.h"

#include <fmt/format.h>

#include <stdexcept>

#include "mutants/driver/find/parse.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/schemata/runtime.h"

namespace redproof::mutants::test {
namespace {

Ran run(const std::vector<std::string>& argv, const std::filesystem::path& cwd, std::vector<std::pair<std::string, std::string>> set_env) {
  gates::ProcessSpec spec;
  spec.argv = argv;
  spec.cwd = cwd;
  spec.set_env = std::move(set_env);
  spec.timeout = std::chrono::seconds(60);
  auto const process = gates::run_process(spec);
  return {process.signal != 0 ? 128 + process.signal : process.exit_code, process.output};
}

Replacement replacement_of(const std::string& source, const Edited& edited) {
  auto const at = source.find(edited.find);
  if (at == std::string::npos || source.find(edited.find, at + 1) != std::string::npos) throw std::runtime_error(edited.find);
  return {{at, at + edited.find.size()}, edited.replace};
}

}  // namespace

Sample::Sample(const std::string& source, const std::vector<Edited>& mutants) : source_(source) {
  test::write(folder_.path() / "a.cpp", source);
  syntax_["a.cpp"] = parse({folder_.path(), {folder_.path(), folder_.path() / "a.cpp", {"-std=c++20"}}, {"a.cpp"}, {"*"}}).front();
  if (!syntax_["a.cpp"].broken.empty()) throw std::runtime_error(syntax_["a.cpp"].broken);
  for (const Edited& edited : mutants) {
    std::vector<Replacement> replacements{replacement_of(source, edited)};
    for (const Edited& other : edited.more) replacements.push_back(replacement_of(source, other));
    std::string const after = apply_all(source, replacements);
    files_.push_back({MutatedFile{"a.cpp", source, after, sha256(source), sha256(after), replacements}});
  }
}

Ran Sample::compile(const std::string& source, const std::string& program) const {
  test::write(folder_.path() / (program + ".cpp"), source);
  return run({"g++", "-std=c++20", "-O2", "-o", program, program + ".cpp"}, folder_.path(), {});
}

std::string Sample::build_all() {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < files_.size(); ++i) candidates.push_back({static_cast<unsigned>(i + 1), &files_[i]});
  rewritten_ = rewrite(candidates, syntax_, folder_.path() / "runtime.h");
  test::write(folder_.path() / "runtime.h",
              runtime_header(static_cast<unsigned>(rewritten_.functions.size()), functions_on_device(rewritten_)));
  Ran const built = compile(rewritten_.files.at(0).after, "all");
  return built.exit_code == 0 ? std::string() : built.output;
}

Ran Sample::run_all(int mutant, std::uint64_t limit) {
  if (mutant < 0) return run({"./all"}, folder_.path(), {});
  write_echo(folder_.path() / "echo", static_cast<unsigned>(rewritten_.functions.size()), limit);
  std::string orders = fmt::format("{}:", mutant);
  if (mutant > 0) orders += fmt::format("{}", fmt::join(rewritten_.functions_of.at(static_cast<unsigned>(mutant)), ","));
  return run({"./all"}, folder_.path(), {{active_variable, orders}, {echo_variable, folder_.path() / "echo"}});
}

Echo Sample::echo() const { return read_echo(folder_.path() / "echo", static_cast<unsigned>(rewritten_.functions.size())); }

Ran Sample::run_alone(unsigned mutant) const {
  Ran const built = compile(files_.at(mutant - 1).at(0).after, "alone");
  if (built.exit_code != 0) throw std::runtime_error(built.output);
  return run({"./alone"}, folder_.path(), {});
}

}  // namespace redproof::mutants::test
