#include "gates/runner/run.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "gates/runner/confinement.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/network.h"
#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

RunOptions options_for(const Folder& folder) {
  RunOptions options;
  options.root = folder.path();
  options.bin = folder / "bin";
  options.scratch = folder.path();
  return options;
}

GateResult run_script(const std::string& script) {
  Folder const folder;
  return run_gate(shell_gate("g", script), options_for(folder));
}

Gate fake_gate(const std::string& id) {
  auto gate = shell_gate(id, "");
  gate.argv.clear();
  gate.program = "fake";
  gate.tag = id;
  gate.laws = {"law_a"};
  return gate;
}

}  // namespace

TEST_CASE("a program of the project is run from its folder with its tag, in the root, with what it needs to know", "[run]") {
  Folder const folder;
  write_script(folder / "bin/fake",
               "echo \"$1|$(pwd)|$REDPROOF_GATE|$REDPROOF_SEED|$REDPROOF_BIN|$REDPROOF_SUBJECT\"\n" + leaving(green_evidence("g"), 0));
  auto options = options_for(folder);
  auto const result = run_gate(fake_gate("g"), options);
  INFO(result.reason);
  CHECK(result.verdict == Verdict::green);
  CHECK(result.evidence.elements() == 10);
  CHECK(result.process.output == "[g]|" + folder.path().string() + "|g|1|" + (folder / "bin").string() + "|\n");
  options.subject = "cpu/avx2";
  CHECK(run_gate(fake_gate("g"), options).process.output.ends_with("|cpu/avx2\n"));
}

TEST_CASE("gates that share a kept folder one after the other see nothing of each other", "[run]") {
  Folder const folder;
  Scratch kept(folder.path());
  auto options = options_for(folder);
  options.kept = &kept;
  std::string const script = "cd \"$(dirname \"$REDPROOF_EVIDENCE\")\" && find . | sort | tr '\\n' ' '; touch a evidence.json tmp/b";
  for (int i = 0; i < 2; ++i) CHECK(run_gate(shell_gate("g", script), options).process.output == ". ./tmp ");
  auto const results = run_gates({shell_gate("g", script), shell_gate("h", script)}, options, 2, {});
  REQUIRE(results.size() == 2);
  for (const GateResult& result : results) CHECK(result.process.output == ". ./tmp ");
}

TEST_CASE("a process is asked for some laws only by its gate, never by our own environment", "[run]") {
  Folder const folder;
  write_script(folder / "bin/fake", "echo \"laws $REDPROOF_LAWS.\"\n" + leaving(green_evidence("g"), 0));
  setenv("REDPROOF_LAWS", "law_z", 1);
  auto gate = fake_gate("g");
  CHECK(run_gate(gate, options_for(folder)).process.output == "laws .\n");
  gate.these_laws_only = true;
  CHECK(run_gate(gate, options_for(folder)).process.output == "laws law_a.\n");
  unsetenv("REDPROOF_LAWS");
}

TEST_CASE("a red gate keeps its worst element, a vacuous one its reason", "[run]") {
  auto const red = run_script(leaving(red_evidence("g"), 2));
  CHECK(red.verdict == Verdict::red);
  REQUIRE(red.worst_law() != nullptr);
  CHECK(red.worst_law()->worst->truth == "0x38");
  auto const vacuous = run_script(leaving(replaced(green_evidence("g"), "{\"ties\":4}", "{\"ties\":5}"), 0));
  CHECK(vacuous.verdict == Verdict::vacuous);
  CHECK(vacuous.reason == "law_a on cpu/avx2: 4 ties, at least 5 needed");
}

TEST_CASE("evidence of an earlier run is never read: each run has a path and a nonce of its own", "[run]") {
  Folder const folder;
  auto const saves = shell_gate("g", "echo \"$REDPROOF_EVIDENCE\"; echo \"$REDPROOF_NONCE\"; " + leaving(green_evidence("g"), 0));
  std::set<std::string> seen;
  for (int i = 0; i < 3; ++i) seen.insert(run_gate(saves, options_for(folder)).process.output);
  CHECK(seen.size() == 3);
  auto const copies = "cp \"$REDPROOF_EVIDENCE\" " + (folder / "old").string() + "\n";
  auto first = leaving(green_evidence("g"), 0);
  first = replaced(first, "exit 0", copies + "exit 0");
  CHECK(run_gate(shell_gate("g", first), options_for(folder)).verdict == Verdict::green);
  auto const stale = run_gate(shell_gate("g", "cp " + (folder / "old").string() + " \"$REDPROOF_EVIDENCE\""), options_for(folder));
  CHECK(stale.verdict == Verdict::broken);
  CHECK(stale.reason.starts_with("evidence: nonce: is "));
}

TEST_CASE("evidence that a run did not finish writing is no evidence", "[run]") {
  CHECK(run_script("echo '{\"nonce\":\"' > \"$REDPROOF_EVIDENCE\"; exit 0").verdict == Verdict::broken);
  auto const only_temporary = run_script("echo > \"$REDPROOF_EVIDENCE.tmp\"; exit 0");
  CHECK(only_temporary.reason == "by its exit code only");
  Folder const folder;
  write_script(folder / "bin/fake", "echo > \"$REDPROOF_EVIDENCE.tmp\"; exit 0\n");
  CHECK(run_gate(fake_gate("g"), options_for(folder)).reason == "left no evidence, exit code 0");
}

TEST_CASE("a crash after green evidence was written is broken", "[run]") {
  auto const result = run_script(replaced(leaving(green_evidence("g"), 0), "exit 0", "kill -ABRT $$"));
  CHECK(result.verdict == Verdict::broken);
  CHECK(result.reason == "killed by signal 6 (SIGABRT, Aborted)");
  CHECK(result.evidence.elements() == 10);
}

TEST_CASE("evidence under another seed is broken", "[run]") {
  auto const result = run_script(leaving(replaced(green_evidence("g"), "\"seed\":1", "\"seed\":2"), 0));
  CHECK(result.verdict == Verdict::broken);
  CHECK(result.reason == "evidence: seed: is 2, not 1");
}

TEST_CASE("exit 0 with a red law, and exit 2 with green ones, are broken", "[run]") {
  CHECK(run_script(leaving(red_evidence("g"), 0)).reason == "exit code 0, but its laws say 2");
  CHECK(run_script(leaving(green_evidence("g"), 2)).reason == "exit code 2, but its laws say 0");
}

TEST_CASE("a gate that hangs, ignores signals and leaves a daemon is broken by its timeout, times the factor", "[run]") {
  Folder const folder;
  auto gate = shell_gate("g", "trap '' TERM; setsid sleep 1000 & while :; do sleep 0.01; done");
  gate.timeout = std::chrono::seconds(1);
  auto options = options_for(folder);
  options.timeout_factor = 0.2;
  auto const result = run_gate(gate, options);
  CHECK(result.verdict == Verdict::broken);
  CHECK(result.reason == "timed out");
}

TEST_CASE("gigabytes on stdout change no verdict and are not kept", "[run]") {
  auto const result = run_script("head -c 300000000 /dev/zero; " + leaving(green_evidence("g"), 0));
  CHECK(result.verdict == Verdict::green);
  CHECK(result.process.output_bytes == 300000000);
  CHECK(result.process.output.size() < (1 << 19));
}

TEST_CASE("17 MiB of evidence are refused", "[run]") {
  auto const result = run_script("head -c 17825792 /dev/zero | tr '\\0' ' ' > \"$REDPROOF_EVIDENCE\"; exit 0");
  CHECK(result.verdict == Verdict::broken);
  CHECK(result.reason == "evidence: larger than 16777216 bytes");
}

TEST_CASE("a gate that needs a terminal or an answer gets neither", "[run]") {
  CHECK(run_script("read answer && exit 0; exit 5").reason == "exit code 5");
  CHECK(run_script("(: < /dev/tty) 2>/dev/null && exit 0; exit 6").reason == "exit code 6");
}

TEST_CASE("a program that is not there is broken, and a need that is not met is skipped", "[run]") {
  Folder const folder;
  auto const result = run_gate(fake_gate("g"), options_for(folder));
  CHECK(result.verdict == Verdict::broken);
  CHECK(result.reason == "cannot execute " + (folder / "bin/fake").string() + ": No such file or directory");
  auto needy = fake_gate("g");
  needy.needs = {"file:model"};
  CHECK(run_gate(needy, options_for(folder)).verdict == Verdict::skipped);
  CHECK(run_gate(needy, options_for(folder)).reason == "needs file:model");
}

TEST_CASE("temporary files of a gate go with it, and its scratch folder too", "[run]") {
  Folder const folder;
  std::filesystem::create_directory(folder / "scratch");
  auto options = options_for(folder);
  options.scratch = folder / "scratch";
  auto const result = run_gate(shell_gate("g", "touch \"$TMPDIR/a\" && echo x > \"$(mktemp)\" && exit 0"), options);
  CHECK(result.verdict == Verdict::green);
  CHECK(std::filesystem::is_empty(folder / "scratch"));
}

TEST_CASE("under writable roots a gate still leaves evidence and cannot write elsewhere", "[run]") {
  Folder const folder;
  Folder const lab;
  auto options = options_for(folder);
  options.writable_roots = {lab.path()};
  auto const script =
      "echo x > " + (folder / "escaped").string() + "; echo x > " + (lab / "kept").string() + "\n" + leaving(green_evidence("g"), 0);
  auto const result = run_gate(shell_gate("g", script), options);
  CHECK(result.verdict == Verdict::green);
  CHECK(result.process.landlock_applied == (landlock_version() > 0));
  CHECK(std::filesystem::exists(folder / "escaped") == !result.process.landlock_applied);
  CHECK(std::filesystem::exists(lab / "kept"));
}

TEST_CASE("where gates have no network, one that asks for it has, and all have a limit on open files", "[run]") {
  Folder const folder;
  auto options = options_for(folder);
  options.own_network = true;
  options.open_files_limit = 64;
  auto gate = shell_gate("g", "ulimit -n");
  auto const shut = run_gate(gate, options).process;
  CHECK(shut.network_shut == can_leave_network());
  CHECK(shut.output == "64\n");
  gate.network = true;
  CHECK_FALSE(run_gate(gate, options).process.network_shut);
}

TEST_CASE("under writable roots a gate of a graphics device may name its threads, and no other gate", "[run]") {
  Folder const folder;
  write_script(folder / "bin/fake",
               "{ echo name >/proc/self/task/$$/comm; } 2>/dev/null && echo named\n" + leaving(green_evidence("g"), 0));
  auto options = options_for(folder);
  options.writable_roots = {folder / "bin"};
  auto gate = fake_gate("g");
  CHECK((run_gate(gate, options).process.output == "named\n") == (landlock_version() == 0));
  gate.subjects.push_back("cuda");
  CHECK(run_gate(gate, options).process.output == "named\n");
}

TEST_CASE("many gates at once give what they give one after the other, in the catalogue's order", "[run]") {
  Folder const folder;
  std::vector<Gate> gates;
  for (int i = 0; i < 12; ++i) {
    std::string const id = "g" + std::to_string(i);
    auto const evidence = i % 3 == 0 ? red_evidence(id) : green_evidence(id);
    gates.push_back(shell_gate(id, "sleep 0.0" + std::to_string(12 - i) + "; " + leaving(evidence, i % 3 == 0 || i % 5 == 0 ? 2 : 0)));
  }
  auto const serial = run_gates(gates, options_for(folder), 1, {});
  std::atomic<int> told = 0;
  auto const parallel = run_gates(gates, options_for(folder), 6, [&](const GateResult&) { ++told; });
  CHECK(told == 12);
  REQUIRE(serial.size() == 12);
  REQUIRE(parallel.size() == 12);
  for (std::size_t i = 0; i < serial.size(); ++i) {
    CHECK(serial[i].id == gates[i].id);
    CHECK(parallel[i].id == serial[i].id);
    CHECK(parallel[i].verdict == serial[i].verdict);
    CHECK(parallel[i].reason == serial[i].reason);
    CHECK(parallel[i].evidence.elements() == serial[i].evidence.elements());
  }
  CHECK(std::count_if(serial.begin(), serial.end(), [](auto& result) { return result.verdict == Verdict::red; }) == 4);
  CHECK(std::count_if(serial.begin(), serial.end(), [](auto& result) { return result.verdict == Verdict::broken; }) == 2);
}

TEST_CASE("an interrupt ends the running gates and keeps those that had ended", "[run]") {
  Folder const folder;
  std::vector<Gate> gates = {shell_gate("a", "exit 0"), shell_gate("b", "sleep 1000"), shell_gate("c", "exit 0")};
  auto const results = run_gates(gates, options_for(folder), 1, [](const GateResult& result) {
    if (result.id == "a") interrupt();
  });
  forget_interrupt();
  REQUIRE(results.size() == 1);
  CHECK(results[0].id == "a");
}

TEST_CASE("a folder for scratch that is not there is refused once, from whichever thread", "[run]") {
  Folder const folder;
  auto options = options_for(folder);
  options.scratch = folder / "none";
  std::vector<Gate> const gates(8, shell_gate("a", "exit 0"));
  CHECK(message_of([&] { run_gates(gates, options, 4, {}); }).find("no temporary folder") != std::string::npos);
}

TEST_CASE("no gates give no results", "[run]") {
  Folder const folder;
  CHECK(run_gates({}, options_for(folder), 4, {}).empty());
}
