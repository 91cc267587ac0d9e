// Which places a statement reads and writes, as far as it names them.
#pragma once
#include <string>
#include <vector>

#include "mutants/driver/generate/spot.h"

namespace redproof::mutants {

struct Access {
  std::vector<std::string> path;  // from the variable inwards: fields, subscripts as written, "*" for what is pointed to
  bool writes = false;
  std::string group;  // of what the statement itself changes: "=" where it assigns, "+", "|=", ... where such changes may be in any order
};

// ++, --, an assignment, plain or compound, built in or overloaded.
bool is_update(const Node& node);
// A call may write what is passed by reference or pointer to what is not const, and its object unless the member function is const.
std::vector<Access> accesses_of(const Spot& statement);
// Something is added to the variable, turn by turn, or it is multiplied.
bool is_accumulated(const Spot& declaration);
// Whether what is below `outer` is part of it, and not what it only points to.
bool holds(const Access& outer, const Access& inner);
// One of the two writes what the other reads or writes, and it matters which is first.
bool conflict(const Access& one, const Access& other);

}  // namespace redproof::mutants
