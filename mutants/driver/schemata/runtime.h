// What every program of a rewritten tree carries: which mutant is active, read once a process, and how often its functions ran.
#pragma once
#include <string>
#include <vector>

namespace redproof::mutants {

// The header that each rewritten file includes. It includes nothing and its names begin with redproof_schemata, so that it changes no other
// file's meaning. C++11 and later, GCC and Clang, and nvcc where functions `on_device` are named.
std::string runtime_header(unsigned functions, const std::vector<unsigned>& on_device = {});

// Environment of a run. ACTIVE is "MUTANT:FUNCTION,FUNCTION", numbers as the rewritten tree has them; "0:" runs every function's counting
// copy, and no mutant. ECHO is the file of echo.h.
inline constexpr const char* active_variable = "REDPROOF_SCHEMATA";
inline constexpr const char* echo_variable = "REDPROOF_SCHEMATA_ECHO";
// First word of the echo file: a process that maps another file says so and ends.
inline constexpr unsigned long long echo_magic = 0x31616d6568637370ULL;
// How a process ends that ran into its hit limit, or could not read its orders.
inline constexpr int hit_limit_exit_code = 119;
inline constexpr int no_orders_exit_code = 118;

}  // namespace redproof::mutants
