# Headers that many sources share, precompiled: half of a source's compile time was parsing them. Each set has an owner without code of its own:
# who reuses it depends on nothing else. The engine and `*_json.cpp` have them in the fast build only: the other presets show a source that
# lacks an include.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "// The owner of a precompiled header needs a source.\n")

# redproof_precompiled(NAME LEVEL HEADER...): LEVEL is the optimisation that the fast build uses here, and that every reuser must have too.
function(redproof_precompiled name level)
  add_library(${name} STATIC ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(${name} PRIVATE fmt::fmt nlohmann_json::nlohmann_json Catch2::Catch2)
  target_precompile_headers(${name} PRIVATE ${ARGN})
  set_target_properties(${name} PROPERTIES REDPROOF_LEVEL ${level})
  redproof_level(${name} ${level})
endfunction()

function(redproof_level target level)
  target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache
  if(REDPROOF_FAST_BUILD)
    target_compile_options(${target} PRIVATE ${level})
  endif()
endfunction()

# redproof_reuse(TARGET NAME): compile TARGET with the precompiled headers of NAME, at its level.
function(redproof_reuse target name)
  if(NOT TARGET ${target}) # a program without sources yet
    return()
  endif()
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL INTERFACE_LIBRARY) # a room without sources yet
    return()
  endif()
  get_target_property(level ${name} REDPROOF_LEVEL)
  redproof_level(${target} ${level})
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

set(shared <algorithm> <filesystem> <fstream> <functional> <map> <optional> <string> <vector> <fmt/format.h>)
redproof_precompiled(redproof_shared -O1 ${shared})
redproof_precompiled(redproof_shared_catch -O1 ${shared} <tests/catch.h>)
redproof_precompiled(redproof_shared_catch_O0 -O0 ${shared} <tests/catch.h>)
if(REDPROOF_FAST_BUILD)
  redproof_precompiled(redproof_shared_engine -O2 ${shared})
  redproof_precompiled(redproof_shared_json -O1 ${shared} <nlohmann/json.hpp>) # redproof_tune says who includes it
endif()
