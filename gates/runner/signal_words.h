#pragma once
#include <string>

namespace redproof::gates {

// `signal 11 (SIGSEGV, Segmentation fault)`; the number alone where the system has no name for it.
std::string signal_words(int signal);

}  // namespace redproof::gates
