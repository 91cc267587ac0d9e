#include "mutants/driver/select/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "gates/runner/exit_code.h"
#include "gates/runner/printable.h"
#include "mutants/driver/catalog/catalog.h"
#include "mutants/driver/select/diff_paths.h"

namespace redproof::mutants {
namespace {

constexpr std::size_t most_lines = 100'000'000;
constexpr TouchedLines whole_file{1, SIZE_MAX, false};

struct HunkHead {
  std::size_t old_count = 1;
  std::size_t new_first = 0;
  std::size_t new_count = 1;
};

std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || number > most_lines) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// FIRST or FIRST,COUNT
bool take_range(std::string_view& text, std::size_t& first, std::size_t& count) {
  auto const number = take_number(text);
  if (!number) return false;
  first = *number;
  if (!take_word(text, ",")) return true;
  auto const second = take_number(text);
  if (second) count = *second;
  return second.has_value();
}

std::optional<HunkHead> hunk_head(std::string_view line) {
  HunkHead head;
  std::size_t old_first = 0;
  bool const read = take_word(line, "@@ -") && take_range(line, old_first, head.old_count) && take_word(line, " +") &&
                    take_range(line, head.new_first, head.new_count) && take_word(line, " @@");
  return read ? std::optional(head) : std::nullopt;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Diff read() {
    while (has_line()) {
      std::string_view const line = without_cr(peek());
      if (line.starts_with("diff --git "))
        read_git_file(line.substr(11));
      else if (line.starts_with("--- ") && without_cr(peek(1)).starts_with("+++ "))
        read_sides(diff_.emplace_back());
      else if (line.starts_with("diff --cc ") || line.starts_with("diff --combined "))
        refuse("is a combined diff of a merge; one of two sides is wanted");
      else if (line.starts_with("@@ -"))
        refuse("a hunk of no file");
      else
        next();  // what mail and commits write between
    }
    bool const blank = text_.find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (diff_.empty() && !blank) throw DiffError(gates::exit_diff_unread, "the diff cannot be read: no file in it");
    return std::move(diff_);
  }

 private:
  bool has_line() const { return at_ < text_.size(); }

  std::string_view peek(int skipped = 0) const {
    std::size_t at = at_;
    for (; skipped > 0 && at < text_.size(); --skipped) at = std::min(text_.find('\n', at), text_.size() - 1) + 1;
    return text_.substr(at, std::min(text_.find('\n', at), text_.size()) - at);
  }

  std::string_view next() {
    std::string_view const line = peek();
    at_ = std::min(at_ + line.size() + 1, text_.size());
    ++number_;
    return line;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw DiffError(gates::exit_diff_unread, fmt::format("the diff cannot be read: line {}: {}", number_ + 1, what));
  }

  std::string whole_path(std::string_view written) const {
    WrittenPath const read = read_path(written);
    if (!read.readable) refuse("a quoted path that does not end");
    return read.path;
  }

  void check_safe(const FileDiff& file) const {
    for (const std::string& path : {file.before, file.after})
      if (!path.empty() && !is_safe_path(path)) refuse(gates::printable(path) + ": no path inside a project");
    if (file.before.empty() && file.after.empty()) refuse("a file without a name");
  }

  void read_git_file(std::string_view names) {
    FileDiff& file = diff_.emplace_back();
    file.before = file.after = name_of_git_line(names);
    next();
    bool deleted = false;
    for (; has_line(); next()) {
      std::string_view line = without_cr(peek());
      if (take_word(line, "rename from ") || take_word(line, "copy from "))
        file.before = whole_path(line);
      else if (take_word(line, "rename to ") || take_word(line, "copy to "))
        file.after = whole_path(line);
      else if (line.starts_with("new file mode "))
        file.created = true;
      else if (line.starts_with("deleted file mode "))
        deleted = true;
      else if (!is_header(line))
        break;
    }
    if (file.created) file.before.clear();
    if (deleted) file.after.clear();
    read_content(file);
  }

  static bool is_header(std::string_view line) {
    static constexpr std::array<std::string_view, 5> heads{"old mode ", "new mode ", "similarity index ", "dissimilarity index ", "index "};
    return std::any_of(heads.begin(), heads.end(), [&](std::string_view head) { return line.starts_with(head); });
  }

  void read_content(FileDiff& file) {
    std::string_view const line = has_line() ? without_cr(peek()) : std::string_view();
    if (line.starts_with("Binary files ") || line.starts_with("GIT binary patch")) {
      file.opaque = true;
      if (!file.after.empty()) file.touched.push_back(whole_file);
      next();
    } else if (line.starts_with("--- ")) {
      return read_sides(file);
    }
    check_safe(file);
  }

  void read_sides(FileDiff& file) {
    std::string const before = whole_path(without_cr(next()).substr(4));
    std::string_view after = without_cr(has_line() ? peek() : std::string_view());
    if (!take_word(after, "+++ ")) refuse("+++ is missing");
    std::tie(file.before, file.after) = without_prefixes(before, whole_path(after));
    file.created = file.before.empty();
    next();
    check_safe(file);
    if (!has_line() || !without_cr(peek()).starts_with("@@")) refuse("a file without a hunk");
    while (has_line() && without_cr(peek()).starts_with("@@")) read_hunk(file);
  }

  void read_hunk(FileDiff& file) {
    auto const head = hunk_head(without_cr(peek()));
    if (!head) refuse("no hunk's head: " + gates::printable(peek(), 80));
    next();
    std::size_t old_left = head->old_count;
    std::size_t new_left = head->new_count;
    // Of a hunk without new lines the head names the line before them.
    std::size_t number = head->new_first + (head->new_count == 0 ? 1 : 0);
    std::size_t added = 0, removed = 0;
    auto const end_run = [&] {
      if (added > 0)
        file.touched.push_back({number - added, number - 1, false});
      else if (removed > 0)
        file.touched.push_back({number - 1, number, true});
      added = removed = 0;
    };
    while (old_left > 0 || new_left > 0) {
      if (!has_line()) refuse("the diff ends inside a hunk");
      std::string_view const line = peek();
      char const mark = without_cr(line).empty() ? ' ' : line[0];
      bool const takes_old = mark == ' ' || mark == '-', takes_new = mark == ' ' || mark == '+';
      if (mark == '\\') {
        end_short(file, old_left, new_left);
      } else if ((!takes_old && !takes_new) || (takes_old && old_left == 0) || (takes_new && new_left == 0)) {
        refuse("a hunk whose lines are not as many as its head says");
      } else {
        if (mark == ' ') end_run();
        last_was_new_ = takes_new;
        if (takes_new) file.lines.push_back({number++, std::string(line.substr(line.empty() ? 0 : 1)), false});
        old_left -= takes_old ? 1 : 0;
        new_left -= takes_new ? 1 : 0;
        added += mark == '+' ? 1 : 0;
        removed += mark == '-' ? 1 : 0;
      }
      next();
    }
    end_run();
    if (has_line() && peek().starts_with('\\')) {
      end_short(file, 0, 0);
      next();
    }
    check_end_of_hunk();
  }

  // "\ No newline at end of file" speaks of the line before it.
  void end_short(FileDiff& file, std::size_t old_left, std::size_t new_left) const {
    if (!last_was_new_) {
      if (old_left > 0) refuse("lines behind the last one");
      return;
    }
    if (new_left > 0 || file.lines.empty()) refuse("lines behind the last one");
    file.lines.back().ends_short = true;
  }

  void check_end_of_hunk() const {
    if (!has_line()) return;
    std::string_view const line = without_cr(peek());
    bool const more = line.starts_with('+') || line.starts_with(' ') || line.starts_with('-');
    // The next file without a "diff" line, and the signature of a mail.
    bool const other = line == "-- " || (line.starts_with("--- ") && without_cr(peek(1)).starts_with("+++ "));
    if (more && !other) refuse("a hunk whose lines are not as many as its head says");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;  // lines read
  bool last_was_new_ = false;
  Diff diff_;
};

}  // namespace

Diff parse_diff(std::string_view text) { return Reader(text).read(); }

std::set<std::string> paths_of(const Diff& diff) {
  std::set<std::string> paths;
  for (const FileDiff& file : diff) paths.insert({file.before, file.after});
  paths.erase("");
  return paths;
}

std::string_view without_cr(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace redproof::mutants
