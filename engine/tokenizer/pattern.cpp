#include "engine/tokenizer/pattern.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <array>
#include <cstdint>

#include "engine/tokenizer/dialect.h"
#include "engine/tokenizer/utf8.h"
#include "engine/types/error.h"

namespace redproof::engine::text {
namespace {

constexpr std::uint32_t match_limit = 50'000'000;  // steps; a run of white space takes one a byte
constexpr std::uint32_t depth_limit = 100'000;
constexpr std::uint32_t heap_limit_kib = 65'536;

template <typename T, void (*release)(T*)>
struct Releaser {
  void operator()(T* value) const { release(value); }
};
using CompileContext = std::unique_ptr<pcre2_compile_context, Releaser<pcre2_compile_context, pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Releaser<pcre2_match_context, pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Releaser<pcre2_match_data, pcre2_match_data_free>>;

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

std::string pcre2_message(int error) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(error, buffer.data(), buffer.size());
  return reinterpret_cast<const char*>(buffer.data());
}

std::uint32_t options_of(PatternSyntax syntax) {
  if (syntax == PatternSyntax::literal) return PCRE2_UTF | PCRE2_LITERAL;
  return PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;  // Ruby's ^ and $ know lines
}

// One search after another over one text.
class Search {
 public:
  Search(const pcre2_code* code, std::string_view text)
      : code_(code),
        text_(text),
        data_(pcre2_match_data_create_from_pattern(code, nullptr)),
        context_(pcre2_match_context_create(nullptr)) {
    if (!data_ || !context_) throw std::bad_alloc();
    pcre2_set_match_limit(context_.get(), match_limit);
    pcre2_set_depth_limit(context_.get(), depth_limit);
    pcre2_set_heap_limit(context_.get(), heap_limit_kib);
  }

  bool find(std::size_t from, std::uint32_t options, Range& found) {
    // The text was validated once: checking it again at each search would make a long text quadratic.
    int const rc = pcre2_match(code_, units(text_), text_.size(), from, options | PCRE2_NO_UTF_CHECK, data_.get(), context_.get());
    if (rc == PCRE2_ERROR_NOMATCH) return false;
    if (rc < 0)
      throw Refusal(fmt::format("tokenizer.json: pre_tokenizer: the pattern cannot be matched on this text: {}", pcre2_message(rc)));
    PCRE2_SIZE const* ends = pcre2_get_ovector_pointer(data_.get());
    found = {ends[0], ends[1]};
    return true;
  }

 private:
  const pcre2_code* code_;
  std::string_view text_;
  MatchData data_;
  MatchContext context_;
};

}  // namespace

Pattern::Pattern(std::string_view source, PatternSyntax syntax) {
  CompileContext const context(pcre2_compile_context_create(nullptr));
  if (!context) throw std::bad_alloc();
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code = pcre2_compile(units(source), source.size(), options_of(syntax), &error, &offset, context.get());
  if (code == nullptr) throw PatternError(fmt::format("is no pattern: {} at byte {}", pcre2_message(error), offset));
  code_.reset(code, pcre2_code_free);
}

std::vector<Range> Pattern::matches(std::string_view text) const {
  std::vector<Range> all;
  Search search(code_.get(), text);
  Range found{};
  for (std::size_t from = 0; from <= text.size() && search.find(from, 0, found);) {
    bool const empty_behind_another = found.begin == found.end && !all.empty() && all.back().end == found.end;
    if (!empty_behind_another) {
      all.push_back(found);
      from = found.end;
    } else {
      from += from < text.size() ? code_point_at(text, from).bytes : 1;
    }
  }
  return all;
}

bool Pattern::matches_whole(std::string_view text) const {
  Range found{};
  return Search(code_.get(), text).find(0, PCRE2_ANCHORED | PCRE2_ENDANCHORED, found);
}

}  // namespace redproof::engine::text
