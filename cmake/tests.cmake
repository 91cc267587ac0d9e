enable_testing()
add_library(redproof_catch_main STATIC tests/main.cpp)
target_compile_options(redproof_catch_main PRIVATE -O0)
target_link_libraries(redproof_catch_main PUBLIC Catch2::Catch2)

# One test program a room: tests/ROOM/**_test.cpp -> bin/test_ROOM.
function(redproof_test room)
  redproof_program(test_${room} tests/${room} LINK ${ARGN} redproof_catch_main)
  if(TARGET test_${room})
    target_compile_definitions(test_${room} PRIVATE REDPROOF_ROOT="${CMAKE_SOURCE_DIR}")
    target_compile_options(test_${room} PRIVATE ${REDPROOF_TEST_OPTIONS})
    add_test(NAME ${room} COMMAND test_${room})
  endif()
endfunction()
redproof_test(oracle redproof_oracle redproof_oracle_slow OpenSSL::Crypto fmt::fmt)
redproof_test(engine redproof_properties fmt::fmt) # its models run on generated checkpoints
if(TARGET test_engine AND TARGET engine)
  add_dependencies(test_engine engine) # its command line is tested as a process
endif()
redproof_test(properties redproof_properties fmt::fmt)
redproof_test(gates redproof_runner fmt::fmt)
redproof_test(mutants redproof_mutants fmt::fmt)
redproof_test(architecture nlohmann_json::nlohmann_json fmt::fmt)
