// compile_commands.json, reduced to what decides how a file parses.
#pragma once
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace redproof::mutants {

struct CompileCommand {
  std::filesystem::path directory;
  std::filesystem::path file;        // absolute
  std::vector<std::string> flags;    // without compiler, input and output: only what clang knows and parsing depends on
  bool is_cuda = false;              // then host and device each have a pass
  std::vector<std::string> words{};  // all of it, as it stands there
};

class CompileDatabase {
 public:
  // Throws gates::Refusal naming file and field.
  static CompileDatabase read(const std::filesystem::path& path);

  // A source of it, where none lies below `root`: then it tells nothing of that tree. Empty otherwise.
  std::filesystem::path foreign_source(const std::filesystem::path& root) const;
  const std::vector<CompileCommand>& commands() const { return commands_; }
  const CompileCommand* find(const std::filesystem::path& file) const;
  // The first command whose source includes `header`, directly or through others, by a text scan of its includes; for a header of CUDA a
  // source of CUDA where one does.
  const CompileCommand* find_through(const std::filesystem::path& header) const;
  std::vector<const CompileCommand*> cuda_through(const std::filesystem::path& header) const;

 private:
  std::vector<CompileCommand> commands_;
};

// A shell command line as words: quotes and backslashes as POSIX sh reads them.
std::vector<std::string> split_command(const std::string& line);
// The headers that the command's source includes, by itself or through its project's files, and that none of its folders hold.
std::set<std::string> foreign_headers(const CompileCommand& command);
// Keeps include folders, macros, the language and its version, and what selects the target.
std::vector<std::string> parse_flags(const std::vector<std::string>& words);

}  // namespace redproof::mutants
