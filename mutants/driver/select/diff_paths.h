// Inside the reader of diffs: how paths are written there.
#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace redproof::mutants {

// One name: quoted as git does ("caf\303\251"), or plain up to a tab. Nothing where a quote does not end or an escape is unknown: then
// `readable` is false.
struct WrittenPath {
  std::string path;
  std::size_t length = 0;  // of what was read
  bool readable = true;
};
WrittenPath read_path(std::string_view text);

// Without the prefixes of two sides, a/ and b/ or their like; /dev/null becomes empty. Names without prefixes stay as they are.
std::pair<std::string, std::string> without_prefixes(const std::string& before, const std::string& after);

// The one name in "a/NAME b/NAME"; empty where the two differ.
std::string name_of_git_line(std::string_view names);

}  // namespace redproof::mutants
