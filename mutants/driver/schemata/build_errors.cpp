#include "mutants/driver/schemata/build_errors.h"

#include <charconv>
#include <optional>
#include <sstream>

namespace redproof::mutants {
namespace {

// The number behind the first `marker` of the line.
std::optional<unsigned> number_after(const std::string& line, const std::string& marker) {
  auto const at = line.find(marker);
  if (at == std::string::npos) return std::nullopt;
  unsigned number = 0;
  const char* const begin = line.data() + at + marker.size();
  auto const [end, failed] = std::from_chars(begin, line.data() + line.size(), number);
  if (failed != std::errc() || end == begin) return std::nullopt;
  return number;
}

class Blame {
 public:
  explicit Blame(const Rewritten& rewritten) : rewritten_(rewritten) {}

  void mutant(unsigned number, const std::string& why) {
    if (rewritten_.functions_of.contains(number)) blamed_.try_emplace(number, why);
  }
  void function(unsigned number, const std::string& why) {
    for (const auto& [mutant, functions] : rewritten_.functions_of)
      for (unsigned const function : functions)
        if (function == number) blamed_.try_emplace(mutant, why);
  }
  void file(const std::string& path, const std::string& why) {
    for (std::size_t i = 0; i < rewritten_.functions.size(); ++i)
      if (rewritten_.functions[i].path == path) function(static_cast<unsigned>(i), why);
  }
  std::map<unsigned, std::string> take() { return std::move(blamed_); }

 private:
  const Rewritten& rewritten_;
  std::map<unsigned, std::string> blamed_;
};

// `path:line:` as GCC and Clang write it, `path(line):` as nvcc does.
bool speaks_of_file(const std::string& line, const std::string& path) {
  return line.starts_with(path + ":") || line.find("/" + path + ":") != std::string::npos || line.starts_with(path + "(") ||
         line.find("/" + path + "(") != std::string::npos;
}

// The assembler of device code names no file, but a function: `Entry function '_Z5scalePf' uses too much shared data`.
bool is_of_device_assembler(const std::string& line) {
  return (line.find("ptxas") != std::string::npos || line.find("nvlink") != std::string::npos) && line.find("error") != std::string::npos;
}

std::string mangled(const std::string& qualified) {
  auto const colon = qualified.rfind("::");
  std::string const name = colon == std::string::npos ? qualified : qualified.substr(colon + 2);
  return std::to_string(name.size()) + name;
}

// An error inside a template or a macro stands elsewhere; the lines around it say from where it was required.
struct Reader {
  const Rewritten& rewritten;
  Blame blame;
  std::optional<unsigned> required_mutant, required_copy;

  void read_assembler(const std::string& line) {
    for (std::size_t i = 0; i < rewritten.functions.size(); ++i)
      if (rewritten.functions[i].on_device && line.find(mangled(rewritten.functions[i].name)) != std::string::npos)
        blame.function(static_cast<unsigned>(i), line);
  }
  void read(const std::string& line) {
    auto const mutant = number_after(line, "redproof-mutant-");
    auto const copy = number_after(line, "redproof-copy-");
    if (mutant) required_mutant = mutant;
    if (copy) required_copy = copy;
    if (is_of_device_assembler(line)) return read_assembler(line);
    if (line.find("error:") == std::string::npos) return;
    if (mutant) return blame.mutant(*mutant, line);
    if (copy) return blame.function(*copy, line);
    if (required_mutant) return blame.mutant(*required_mutant, line);
    if (required_copy) return blame.function(*required_copy, line);
    for (const MutatedFile& file : rewritten.files)
      if (speaks_of_file(line, file.path)) blame.file(file.path, line);
  }
};

}  // namespace

std::map<unsigned, std::string> mutants_to_leave_out(const std::string& log, const Rewritten& rewritten) {
  Reader reader{rewritten, Blame(rewritten), {}, {}};
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    // A new command of the build: what was required before is over.
    if (line.starts_with("FAILED:") || line.starts_with("[")) reader.required_mutant = reader.required_copy = std::nullopt;
    reader.read(line);
    if (line.find("error:") != std::string::npos) reader.required_mutant = reader.required_copy = std::nullopt;
  }
  return reader.blame.take();
}

}  // namespace redproof::mutants
