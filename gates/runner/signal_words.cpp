#include "gates/runner/signal_words.h"

#include <fmt/format.h>
#include <string.h>

namespace redproof::gates {

std::string signal_words(int signal) {
  char const* const name = sigabbrev_np(signal);
  char const* const meaning = sigdescr_np(signal);
  if (name == nullptr || meaning == nullptr) return fmt::format("signal {}", signal);
  return fmt::format("signal {} (SIG{}, {})", signal, name, meaning);
}

}  // namespace redproof::gates
