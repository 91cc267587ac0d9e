#include "tests/mutants/generate/sample.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tests/mutants/fixture.h"

namespace redproof::mutants::test {

Generation generation_of(const std::string& source, const std::vector<std::string>& operators) {
  TemporaryFolder const folder;
  write(folder.path() / "a.cpp", source);
  write(folder.path() / "db.json",
        fmt::format(R"([{{"directory":"{}","file":"a.cpp","command":"g++ -std=c++20 -c a.cpp"}}])", folder.path().string()));
  Generation generation = generate({folder.path(), folder.path() / "db.json", {"a.cpp"}, operators, 1});
  if (!generation.broken.empty()) throw std::runtime_error(generation.broken.front());
  return generation;
}

std::vector<std::string> made(const std::string& source, const std::string& operator_name) {
  std::vector<std::string> lines;
  for (const Generated& one : generation_of(source, {operator_name}).mutants) {
    const Replacement& change = one.replacements.at(0);
    if (!one.mutant.suppressed.empty()) continue;
    std::string const old = source.substr(change.range.begin, change.range.end - change.range.begin);
    lines.push_back(fmt::format("{}: {} -> {}", one.line, old, change.text));
  }
  return lines;
}

}  // namespace redproof::mutants::test
