// A validator for what JSON schemas of this project and of its reports use; a keyword that it does not know is refused, so that nothing is
// silently left unchecked.
#pragma once
#include <string>
#include <vector>

namespace redproof::mutants::test {

// Every violation, "path: what". Empty where the document holds to the schema.
std::vector<std::string> violations(const std::string& document, const std::string& schema);

}  // namespace redproof::mutants::test
