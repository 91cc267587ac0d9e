#pragma once
#include <string>
#include <variant>

#include "properties/generators/checkpoint.h"

namespace redproof::properties::cli {

struct Arguments {
  std::string dir;
  CheckpointOptions options;
};

// Text where that is all that was asked for: --help. Refusal, naming the option: a command line that says nothing sensible, or asks for a
// model that there is none of.
std::variant<Arguments, std::string> parse_arguments(int argc, char** argv);

}  // namespace redproof::properties::cli
