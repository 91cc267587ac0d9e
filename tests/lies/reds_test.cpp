// Rows 12 to 16: what the red says.
#include "tests/catch.h"
#include "tests/lies/naive.h"

using namespace redproof::lies;

namespace {

constexpr const char* sign = R"("replace_expression":{"expression":"-1","with":"-2"})";

// Whoever counts runs in `out/runs`: the first is green, whatever is tested.
constexpr const char* flaky_program = R"sh(#!/bin/sh
pair() { echo $((10 * $1 + $2)); }
runs=$(dirname "$0")/runs
printf 'run\n' >>"$runs"
[ "$(wc -l <"$runs")" -eq 1 ] || set -- 1
echo $((2 * $(pair 1 2) + $#)) -1 2
)sh";

// Red in its second run, whatever is tested.
constexpr const char* red_once_program = R"sh(#!/bin/sh
pair() { echo $((10 * $1 + $2)); }
runs=$(dirname "$0")/runs
printf 'run\n' >>"$runs"
[ "$(wc -l <"$runs")" -ne 2 ] || set -- 1
echo $((2 * $(pair 1 2) + $#)) -1 2
)sh";

// Every law's evidence says this margin.
void write_margin(Project& project, const std::string& margin) {
  std::string script = redproof::mutants::test::read(project.root() / "gate.sh");
  std::string const none = R"(\"margin\":null)";
  script.replace(script.find(none), none.size(), R"(\"margin\":)" + margin);
  write_program(project, "gate.sh", script);
}

}  // namespace

TEST_CASE("lie 12: what was red before the mutant is no kill: the run is unproved", "[lies]") {
  Project project;
  use_script(project);
  add_gate(project, "both", R"(["./gate.sh","pairs=1=24","signs=2=-7"])", R"(["pairs","signs"])");
  Naive naive(project);
  CHECK(naive.judge("src/prog", "\necho", "\necho ", R"sh(./build.sh && test "$(out/prog)" = "24 -7 2")sh") == "killed");

  add_text_mutant(project, "g/m", "src/prog", "\necho", "\necho ", R"("reds":[{"gate":"both","law":"signs"}])");
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 4);
  CHECK(says(ours, "unproved        g/m: gate both is red on the pristine tree: signs on cpu"));
  // Nor does that gate see what the named one does not.
  add_text_mutant(project, "g/m", "src/prog", "\necho", "\necho ");
  auto const named = planted(project, "one_a_build");
  CHECK(named.exit_code == 2);
  CHECK(says(named, "survived        g/m: gate pairs stayed green"));
}

TEST_CASE("lie 13: a test that is red without the mutant too has killed nothing", "[lies]") {
  Project project;
  use_script(project);
  write_program(project, "src/prog", flaky_program);
  Naive naive(project);
  CHECK(naive.judge("src/prog", "\necho", "\necho ") == "killed");

  add_text_mutant(project, "g/m", "src/prog", "\necho", "\necho ");
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 4);
  CHECK(says(ours, "unproved        g/m: it was killed, but after the run, without any mutant, gate pairs is red: pairs on cpu"));
  CHECK(redproof::mutants::test::read(project.options().out / "killed.txt").empty());
}

TEST_CASE("lie 13: a kill by a gate that is not deterministic has to be seen once more", "[lies]") {
  Project project;
  use_script(project);
  write_program(project, "src/prog", red_once_program);
  write_margin(project, "$(($(wc -l <$REDPROOF_BIN/runs) + 10))");
  Naive naive(project);
  CHECK(naive.judge("src/prog", "\necho", "\necho ") == "killed");

  add_text_mutant(project, "g/m", "src/prog", "\necho", "\necho ");
  auto const ours = planted(project, "one_a_build", {"--jobs", "1"});
  CHECK(ours.exit_code == 4);
  CHECK(says(ours,
             "unproved        g/m: it was killed, but the gate is not deterministic (gate pairs: pairs on cpu: margin 13, and margin 11 at "
             "first), and when it was run once more it was survived: gate pairs stayed green"));
  CHECK(redproof::mutants::test::read(project.options().out / "killed.txt").empty());
}

TEST_CASE("lie 13: what is seen once more on another worker is killed, however the gate's figures waver", "[lies]") {
  Project project;
  write_margin(project, "1$(date +%N)");
  project.add_edit("g/a", "store", R"("swap_arguments":{"call":"pair","first":0,"second":1})");
  project.add_edit("g/b", "store", R"("replace_literal":{"literal":"2","with":"3"})");
  for (const char* planting : plantings) {
    auto const ours = planted(project, planting, {"--jobs", "2", "--verbose", "--format", "json"});
    CHECK(ours.exit_code == 0);
    std::string const records = redproof::mutants::test::read(project.options().out / "outcomes.jsonl");
    auto const first = records.find(R"("what":"the mutant on another worker","alone":false,"limit_seconds":0.0)");
    CHECK(first != std::string::npos);
    CHECK(records.find(R"("timed_out":false,"ending":"killed")", first) != records.rfind(R"("timed_out":false,"ending":"killed")"));
  }
}

TEST_CASE("lie 14: red in another gate, or in another law, than was named is no kill", "[lies]") {
  Project project;
  Naive naive(project);
  CHECK(naive.judge("src/store.cpp", "return -1;", "return -2;") == "killed");

  project.add_edit("g/gate", "store", sign);
  project.add_edit("g/law", "store", sign, R"("reds":[{"gate":"both","law":"pairs"}])");
  for (const char* planting : plantings) {
    auto const ours = planted(project, planting);
    CHECK(ours.exit_code == 2);
    CHECK(says(ours, "wrong_gate      g/gate: gate pairs stayed green; seen only by both"));
    CHECK(says(ours, "wrong_reason    g/law: gate both went red, not in pairs: signs"));
    CHECK(says(ours, "killed: 0 of 2 judged, 0.0 %"));
  }
}

TEST_CASE("lie 16: what was skipped, or checked less, stayed green for nobody", "[lies]") {
  Project project;
  use_script(project);
  write_program(project, "skips.sh", R"(#!/bin/sh
set -- $("$REDPROOF_BIN/prog")
[ "$3" = 0 ] || exec ./gate.sh pairs=1=24
printf '{"nonce":"%s","schema":"redproof.evidence.1","gate":"%s","program":"skips.sh","seed":%s,"laws":[{"law":"pairs","subject":"cpu",' \
  "$REDPROOF_NONCE" "$REDPROOF_GATE" "$REDPROOF_SEED" >"$REDPROOF_EVIDENCE"
printf '"verdict":"skipped","reason":"nothing to compare","elements":0,"failures":0,"population":{},"floors":{},"separates":[],"bound":"exact",' \
  >>"$REDPROOF_EVIDENCE"
printf '"margin":null,"slack":null,"worst":null,"reproduce":"by hand"}],"mutant":null,"end":{"laws":1,"elements":0}}' >>"$REDPROOF_EVIDENCE"
exit 8
)");
  add_gate(project, "skips", R"(["./skips.sh"])", R"(["pairs"])");
  Naive naive(project);
  std::string const skipping = R"sh(./build.sh && set -- $(out/prog) && { test "$3" = 0 || test "$1" = 24; })sh";
  CHECK(naive.judge("src/prog", "-1 2", "-1 0", skipping) == "survived");
  CHECK(naive.judge("src/prog", "-1 2", "-1 1", skipping) == "survived");

  add_text_mutant(project, "g/skipped", "src/prog", "-1 2", "-1 0", R"("reds":[{"gate":"skips","law":"pairs"}])");
  add_text_mutant(project, "g/fewer", "src/prog", "-1 2", "-1 1");
  auto const ours = planted(project, "one_a_build");
  CHECK(ours.exit_code == 8);
  CHECK(says(ours, "no_evidence     g/skipped: gate skips is skipped: pairs on cpu: nothing to compare"));
  CHECK(says(ours, "no_evidence     g/fewer: gate pairs: pairs checked 1 elements, 2 on the pristine tree"));
}
