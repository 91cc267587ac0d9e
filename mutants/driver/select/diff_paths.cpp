#include "mutants/driver/select/diff_paths.h"

#include <array>

namespace redproof::mutants {
namespace {

constexpr std::string_view no_file = "/dev/null";

constexpr std::array<std::pair<char, char>, 9> letters{
    {{'a', '\a'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}, {'v', '\v'}, {'"', '"'}, {'\\', '\\'}}};

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// The byte that an escape stands for, and its length behind the backslash; 0 where there is none such.
std::pair<char, std::size_t> escape(std::string_view text) {
  if (text.size() >= 3 && is_octal(text[0]) && text[0] <= '3' && is_octal(text[1]) && is_octal(text[2]))
    return {static_cast<char>((text[0] - '0') * 64 + (text[1] - '0') * 8 + (text[2] - '0')), 3};
  for (const auto& [letter, byte] : letters)
    if (!text.empty() && text[0] == letter) return {byte, 1};
  return {'\0', 0};
}

WrittenPath read_quoted(std::string_view text) {
  WrittenPath read;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '"') {
      read.length = at + 1;
      return read;
    }
    if (text[at] != '\\') {
      read.path += text[at];
      continue;
    }
    auto const [byte, length] = escape(text.substr(at + 1));
    if (length == 0) break;
    read.path += byte;
    at += length;
  }
  read.readable = false;
  return read;
}

// a/ b/, and what diff.mnemonicPrefix writes: index, working tree, commit, object.
bool has_prefix(const std::string& path) {
  return path.size() > 2 && path[1] == '/' && std::string_view("abciow12").find(path[0]) != std::string_view::npos;
}

}  // namespace

WrittenPath read_path(std::string_view text) {
  if (text.starts_with('"')) return read_quoted(text);
  auto const end = text.find('\t');
  std::string_view const path = text.substr(0, end);
  return {std::string(path), path.size(), true};
}

std::pair<std::string, std::string> without_prefixes(const std::string& before, const std::string& after) {
  bool const no_before = before == no_file, no_after = after == no_file;
  bool const prefixed =
      (no_before || has_prefix(before)) && (no_after || has_prefix(after)) && (no_before || no_after || before[0] != after[0]);
  std::size_t const skipped = prefixed ? 2 : 0;
  return {no_before ? std::string() : before.substr(skipped), no_after ? std::string() : after.substr(skipped)};
}

std::string name_of_git_line(std::string_view names) {
  std::string before, after;
  if (names.starts_with('"')) {
    WrittenPath const first = read_path(names);
    if (!first.readable || first.length + 1 >= names.size()) return {};
    before = first.path;
    after = read_path(names.substr(first.length + 1)).path;
  } else {
    // Names with spaces: equal ones meet in the middle.
    if (names.size() % 2 == 0 || names[names.size() / 2] != ' ') return {};
    before = names.substr(0, names.size() / 2);
    after = names.substr(names.size() / 2 + 1);
  }
  auto const [old_name, new_name] = without_prefixes(before, after);
  return old_name == new_name ? new_name : std::string();
}

}  // namespace redproof::mutants
