find_package(PkgConfig REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)

redproof_library(redproof_kernels engine/bits engine/kv engine/attention engine/matmul LINK fmt::fmt Threads::Threads)
redproof_library(redproof_checkpoint engine/checkpoint LINK redproof_kernels fmt::fmt nlohmann_json::nlohmann_json)
redproof_library(redproof_tokenizer engine/tokenizer LINK redproof_checkpoint fmt::fmt nlohmann_json::nlohmann_json PkgConfig::PCRE2 PkgConfig::UTF8PROC)
redproof_library(redproof_engine engine/model engine/serve LINK redproof_checkpoint redproof_tokenizer)
# Laws read what a command line comes to, so that part of the program is a library.
set(arguments engine/cli/arguments.cpp engine/cli/number.cpp)
add_library(redproof_arguments STATIC ${arguments})
target_link_libraries(redproof_arguments PUBLIC redproof_engine PRIVATE CLI11::CLI11)
redproof_program(engine engine/cli LINK redproof_arguments EXCEPT ${arguments})
