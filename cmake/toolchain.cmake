# The compiler cache and the fast linker. Keys are without the tree's own path and without -Werror, so that mutate's private trees, which
# leave it out, share what `dev` compiled; what has warnings is kept with them, and said each time. Nor is the language of messages in
# them: those trees are built in English.
find_program(REDPROOF_CCACHE ccache)
if(REDPROOF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,locale CCACHE_IGNOREOPTIONS=-Werror ${REDPROOF_CCACHE})
endif()
find_program(REDPROOF_MOLD mold)
if(REDPROOF_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
# One rounding per operation, on every path: no fused multiply-add unless the source writes one.
add_compile_options(-ffp-contract=off)
# GCC 12 sees overlapping copies in plain string concatenations (its bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
  if(NOT REDPROOF_FAST_BUILD) # fully optimised tests: there it takes the same concatenations for overflows
    add_compile_options(-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
include_directories(${CMAKE_SOURCE_DIR})
