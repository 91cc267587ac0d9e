file(GLOB REDPROOF_ORACLE_SLOW CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/oracle/slow/*.cpp)
file(GLOB_RECURSE REDPROOF_ORACLE RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/oracle/*.cpp)
list(FILTER REDPROOF_ORACLE EXCLUDE REGEX "^oracle/slow/")
if(REDPROOF_ORACLE)
  add_library(redproof_oracle STATIC ${REDPROOF_ORACLE})
else()
  add_library(redproof_oracle INTERFACE)
endif()
# The slow oracle exists to check the first one: only tests link it.
if(REDPROOF_ORACLE_SLOW)
  add_library(redproof_oracle_slow STATIC ${REDPROOF_ORACLE_SLOW})
else()
  add_library(redproof_oracle_slow INTERFACE)
endif()

find_library(REDPROOF_RAPIDCHECK rapidcheck REQUIRED)
redproof_library(redproof_properties properties
                 LINK redproof_engine redproof_oracle ${REDPROOF_RAPIDCHECK} OpenSSL::Crypto)
redproof_program(make_checkpoint properties/generators/cli LINK redproof_properties CLI11::CLI11)
