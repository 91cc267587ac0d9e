#pragma once

namespace redproof::oracle {

// 128 bits: no product of two 64-bit numbers leaves it, so truth about sizes and addresses never wraps.
__extension__ typedef __int128 Wide;

}  // namespace redproof::oracle
