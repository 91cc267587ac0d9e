// How many files a run holds open at a time, of those that the shell allows (ulimit -n).
#pragma once

namespace redproof::mutants {

// Throws gates::Refusal where the limit is too low for so many workers: a gate that cannot be started would pass for one that is not green.
void require_open_files(unsigned workers);

}  // namespace redproof::mutants
