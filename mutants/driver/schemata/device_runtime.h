// What a source of CUDA carries beside runtime.h: the same for code of a device, set before the first launch of a process that needs it.
#pragma once

namespace redproof::mutants {

// Text behind the common part, with its @NAMES@. No CUDA function is called before a launch, and none where no function of a device is
// asked for.
extern const char* const device_runtime_text;

}  // namespace redproof::mutants
