// What a run ran with, for whoever reads its output folder. Nothing is decided by it.
#pragma once
#include <set>
#include <string>

namespace redproof::mutants {

// environment.json: `compilers` are programs, by path or as PATH knows them, and are asked for their --version; `parser` is libclang's own.
std::string environment_json(const std::set<std::string>& compilers, const std::string& parser);

}  // namespace redproof::mutants
