enable_testing()
add_library(redproof_catch_main STATIC tests/main.cpp)
target_compile_options(redproof_catch_main PRIVATE -O0)
target_link_libraries(redproof_catch_main PUBLIC Catch2::Catch2)

# One test program a room: tests/ROOM/**_test.cpp -> bin/test_ROOM.
function(redproof_test room)
  redproof_program(test_${room} tests/${room} LINK ${ARGN} redproof_catch_main)
  if(TARGET test_${room})
    target_compile_definitions(test_${room} PRIVATE REDPROOF_ROOT="${CMAKE_SOURCE_DIR}")
    if(room MATCHES "oracle|engine|architecture") # they sweep whole formats, or the whole tree
      redproof_reuse(test_${room} redproof_shared_catch)
    else()
      redproof_reuse(test_${room} redproof_shared_catch_O0)
    endif()
    redproof_unite(test_${room})
    add_test(NAME ${room} COMMAND test_${room})
  endif()
endfunction()
redproof_test(gates redproof_runner fmt::fmt)
if(TARGET test_gates AND TARGET gates)
  add_dependencies(test_gates gates) # its command line is tested as a process
endif()
redproof_test(oracle redproof_oracle redproof_oracle_slow OpenSSL::Crypto fmt::fmt)
redproof_test(engine redproof_properties fmt::fmt) # its models run on generated checkpoints
if(TARGET test_engine AND TARGET engine)
  add_dependencies(test_engine engine make_checkpoint) # their command lines are tested as processes
endif()
redproof_test(properties redproof_properties fmt::fmt)
if(TARGET test_properties AND TARGET gates_cpu)
  add_dependencies(test_properties gates_cpu) # the evidence that it leaves, or cannot
endif()
# CUDA's own conversions, on the host: a third opinion on the oracle.
find_path(REDPROOF_CUDA_INCLUDE cuda_fp8.h HINTS /usr/local/cuda/include ${CMAKE_SOURCE_DIR}/.toolchain/cuda/include)
if(REDPROOF_CUDA_INCLUDE)
  target_sources(test_properties PRIVATE properties/subjects/cuda/cuda_header.cpp tests/properties/cuda/cuda_header_test.cpp)
  target_include_directories(test_properties SYSTEM PRIVATE ${REDPROOF_CUDA_INCLUDE})
else()
  message(STATUS "no cuda_fp8.h: the subject cuda_header is skipped (scripts/setup --cuda brings it)")
endif()
redproof_test(mutants redproof_mutants fmt::fmt)
redproof_test(lies redproof_mutants fmt::fmt) # tests/lies: the ways in which a mutation harness lies, on the projects of tests/mutants
if(TARGET test_lies AND TARGET mutate)
  target_sources(test_lies PRIVATE tests/mutants/fixture.cpp)
  add_dependencies(test_lies mutate)
endif()
redproof_test(architecture nlohmann_json::nlohmann_json fmt::fmt)
if(TARGET test_mutants AND TARGET mutate)
  add_dependencies(test_mutants mutate) # tests run the program itself, from the folder they stand in
endif()
