// Small sources and the mutants that are made of them.
#pragma once
#include <string>
#include <vector>

#include "mutants/driver/generate/generate.h"

namespace redproof::mutants::test {

// Of `source` as a.cpp of a folder of its own.
Generation generation_of(const std::string& source, const std::vector<std::string>& operators = {"all"});
// "line: old -> new", in order, the suppressed ones left out.
std::vector<std::string> made(const std::string& source, const std::string& operator_name);
// The same of a CUDA file, behind a header that declares what kernels use.
std::vector<std::string> made_of_kernel(const std::string& source, const std::string& operator_name);
using Lines = std::vector<std::string>;

}  // namespace redproof::mutants::test
