#include "tests/engine/tokenizer/tiny.h"

#include <fmt/format.h>

#include "engine/tokenizer/byte_level.h"

namespace redproof::tests {

TinyTokenizer::TinyTokenizer() {
  for (std::size_t byte = 0; byte < 256; ++byte) {
    vocab += fmt::format(R"("\u{:04x}":{},)", static_cast<unsigned>(engine::text::byte_alphabet()[byte]), byte);
  }
  vocab += R"("he":256,"ll":257,"hell":258,"hello":259,"\u0120w":260,"ab":261)";
}

std::string TinyTokenizer::json() const {
  return fmt::format(
      R"({{"version":"1.0","truncation":null,"padding":null,"added_tokens":{},"normalizer":{},"pre_tokenizer":{},"post_processor":{},"decoder":{},"model":{{{},"vocab":{{{}}},"merges":{}}}}})",
      added_tokens, normalizer, pre_tokenizer, post_processor, decoder, model_fields, vocab, merges);
}

}  // namespace redproof::tests
