// Ctrl-C, thrown: no outcome may be made of what it cut short.
#pragma once

namespace redproof::mutants {

struct Interrupted {};

}  // namespace redproof::mutants
