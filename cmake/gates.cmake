redproof_library(redproof_runner gates/runner LINK fmt::fmt nlohmann_json::nlohmann_json OpenSSL::Crypto Threads::Threads)
redproof_program(gates gates/runner/cli LINK redproof_runner CLI11::CLI11)
redproof_program(gates_cpu gates/cases LINK redproof_properties redproof_catch_main)
if(TARGET gates_cpu AND TARGET engine)
  add_dependencies(gates_cpu engine) # cases run the engine's real command line, from the folder they stand in
endif()
