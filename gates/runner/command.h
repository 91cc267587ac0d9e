// The program, arguments and environment of a process, laid out before it is forked.
#pragma once
#include <string>
#include <vector>

#include "gates/runner/process.h"

namespace redproof::gates {

struct Command {
  std::string program;                   // what execve gets; empty where none was found
  std::vector<std::string> environment;  // NAME=value
  std::string cwd;
  int missing_code = 127;  // where program is empty: 127 not found, 126 found but not executable
};

Command resolve_command(const ProcessSpec& spec);
// Pointers into `words`, ended by a null.
std::vector<char*> pointers(const std::vector<std::string>& words);

}  // namespace redproof::gates
