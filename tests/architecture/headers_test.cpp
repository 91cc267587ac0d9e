#include "tests/architecture/planted.h"
#include "tests/architecture/rules.h"
#include "tests/catch.h"

using namespace redproof::tests;

namespace {

std::string header_findings(std::map<std::string, std::string> const& files) {
  return describe(misplaced_headers(PlantedTree(files).tree()));
}

}  // namespace

TEST_CASE("heavy and foreign headers stand where they may", "[architecture]") {
  INFO(describe(misplaced_headers(own_tree())));
  CHECK(misplaced_headers(own_tree()).empty());
}

TEST_CASE("the JSON header outside *_json.cpp is found", "[architecture]") {
  CHECK(header_findings({{"engine/checkpoint/config.cpp", "\n#include <nlohmann/json.hpp>\n"}}) ==
        "engine/checkpoint/config.cpp:2: #include <nlohmann/json.hpp> (nlohmann/json.hpp belongs in *_json.cpp)\n");
  CHECK(header_findings({{"gates/runner/claim.h", "#include \"nlohmann/json.hpp\"\n"}}).find("belongs in") != std::string::npos);
  CHECK(header_findings({{"engine/kv/page_json.cpp", "#include <nlohmann/json.hpp>\n"}}).find("belongs in") != std::string::npos);
  CHECK(header_findings({{"engine/bits/fp8.h", "#include <nlohmann/json_fwd.hpp>\n"}}).find("know no JSON") != std::string::npos);
  CHECK(header_findings({{"engine/checkpoint/config_json.cpp", "#include <nlohmann/json.hpp>\n"}}).empty());
  CHECK(header_findings({{"engine/checkpoint/config.h", "#include <nlohmann/json_fwd.hpp>\n"}}).empty());
}

TEST_CASE("CLI11 outside one source of a program's folder is found", "[architecture]") {
  CHECK(header_findings({{"engine/cli/main.cpp", "#include <CLI/CLI.hpp>\n"}}).empty());
  CHECK(header_findings({{"engine/kv/store.cpp", "#include <CLI/CLI.hpp>\n"}}).find("one source of a program") != std::string::npos);
  CHECK(header_findings({{"engine/cli/options.h", "#include <CLI/CLI.hpp>\n"}}).find("one source of a program") != std::string::npos);
  CHECK(header_findings({{"engine/cli/bench.cpp", "#include <CLI/CLI.hpp>\n"}, {"engine/cli/main.cpp", "#include <CLI/App.hpp>\n"}}) ==
        "engine/cli/main.cpp:1: #include <CLI/App.hpp> (CLI11 is already in engine/cli/bench.cpp)\n");
}

TEST_CASE("libclang outside mutants/driver/find is found", "[architecture]") {
  CHECK(header_findings({{"mutants/driver/plan/a.cpp", "#include <clang-c/Index.h>\n"}}).find("mutants/driver/find") != std::string::npos);
  CHECK(header_findings({{"mutants/driver/find/a.cpp", "#include <clang-c/Index.h>\n"}}).empty());
}

TEST_CASE("SQLite outside its door is found", "[architecture]") {
  CHECK(header_findings({{"mutants/driver/cache/verdict_cache.cpp", "#include <sqlite3.h>\n"}}).find("mutants/driver/cache/sqlite.h") !=
        std::string::npos);
  CHECK(header_findings({{"mutants/driver/cache/sqlite.cpp", "#include <sqlite3.h>\n"}}).empty());
}

TEST_CASE("the subject's hardware headers in the oracle are found", "[architecture]") {
  for (std::string const header : {"cuda_fp8.h", "cuda_bf16.h", "immintrin.h", "x86intrin.h", "emmintrin.h", "arm_neon.h"}) {
    INFO(header);
    CHECK(header_findings({{"oracle/nearest.cpp", "#include <" + header + ">\n"}}).find("subject's hardware") != std::string::npos);
    CHECK(header_findings({{"oracle/slow/a.cpp", "#include \"" + header + "\"\n"}}).find("subject's hardware") != std::string::npos);
    CHECK(header_findings({{"engine/bits/fp8_avx2.cpp", "#include <" + header + ">\n"}}).empty());
  }
}

TEST_CASE("RapidCheck that is not behind the runner is found", "[architecture]") {
  CHECK(header_findings({{"gates/cases/a.cpp", "#include <rapidcheck.h>\n"}}).find("properties/run.h") != std::string::npos);
  CHECK(header_findings({{"properties/laws.h", "#include <rapidcheck/Gen.h>\n"}}).find("properties/run.h") != std::string::npos);
  CHECK(header_findings({{"properties/run.cpp", "#include <rapidcheck.h>\n"}}).empty());
}
