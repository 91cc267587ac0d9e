// The program `gates` where what it writes does not fit, or nobody reads it.
#include <algorithm>

#include "tests/catch.h"
#include "tests/gates/fixture.h"
#include "tests/skip.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

struct NoRoom {
  Folder folder;
  explicit NoRoom(const std::string& script = "exit 0") { write(folder / "gates/a.gate.json", gate_file("a", script)); }

  // SCRIPT by a shell in the root, where $GATES is the program; its temporary folder is tmp.
  ProcessResult by_shell(const std::string& script) const {
    std::filesystem::create_directory(folder / "tmp");
    auto spec = shell(script);
    spec.cwd = folder.path();
    spec.set_env = {{"GATES", (std::filesystem::canonical("/proc/self/exe").parent_path() / "gates").string()},
                    {"TMPDIR", (folder / "tmp").string()}};
    return run_process(spec);
  }

  bool holds_only(const std::vector<std::string>& names) const {
    std::vector<std::string> there;
    for (auto const& entry : std::filesystem::directory_iterator(folder.path())) there.push_back(entry.path().filename());
    std::sort(there.begin(), there.end());
    return there == names && std::filesystem::is_empty(folder / "tmp");
  }
};

// An empty program of that runtime does not start under it.
#ifdef __SANITIZE_THREAD__
constexpr bool starts_under_a_file_limit = false;
#else
constexpr bool starts_under_a_file_limit = true;
#endif
constexpr const char* no_start = "ThreadSanitizer's runtime does not start under a limit of written files";

}  // namespace

TEST_CASE("a file that may not grow so large ends 1 on one line, is not there, and nothing is left of it", "[program]") {
  if (!starts_under_a_file_limit) return skip_case(no_start);
  NoRoom const project;
  for (std::string const arguments :
       {"list -o out", "list --format json -o out", "show a -o out", "check -o out", "run --format json -o out 2>&1 >/dev/null"}) {
    auto const result = project.by_shell("ulimit -f 0; exec \"$GATES\" " + arguments);
    INFO(arguments << ": " << result.output);
    CHECK(result.signal == 0);
    CHECK(result.exit_code == 1);
    CHECK(result.output == "gates: out: cannot be written: File too large\n");
    CHECK(project.holds_only({"gates", "tmp"}));
  }
}

TEST_CASE("a stdout that is a file and may not grow so large ends 1 on one line", "[program]") {
  if (!starts_under_a_file_limit) return skip_case(no_start);
  NoRoom const project;
  for (std::string const arguments : {"list", "show a", "check", "run", "run --format json", "--help", "run --help"}) {
    auto const result = project.by_shell("ulimit -f 0; exec \"$GATES\" " + arguments + " >out");
    INFO(arguments << ": " << result.output);
    CHECK(result.signal == 0);
    CHECK(result.exit_code == 1);
    CHECK(result.output == "gates: stdout: cannot be written: File too large\n");
  }
}

TEST_CASE("a reader that is gone ends every command with 1 on one line", "[program]") {
  NoRoom const project;
  for (std::string const arguments : {"list", "show a", "check", "run", "run --format json", "--help", "run --help"}) {
    auto const result = project.by_shell("{ while [ ! -e gone ]; do sleep 0.01; done; \"$GATES\" " + arguments +
                                         " 2>err; echo $? >code; } | { exec <&-; echo >gone; }; cat code err; rm -f gone");
    INFO(arguments);
    CHECK(result.output == "1\ngates: stdout: cannot be written: Broken pipe\n");
  }
}

TEST_CASE("a gate that writes more than the user's limit ends as it always would", "[program]") {
  if (!starts_under_a_file_limit) return skip_case(no_start);
  NoRoom const project("echo text >file; echo alive");
  auto const result = project.by_shell("ulimit -f 0; exec \"$GATES\" run");
  CHECK(result.exit_code == 8);
  CHECK(result.output.find("killed by signal 25 (SIGXFSZ, File size limit exceeded)") != std::string::npos);
}

TEST_CASE("an output that cannot be written is refused before the first gate runs, and no file is made", "[program]") {
  NoRoom const project("touch ran");
  write(project.folder / "file", "kept");
  std::filesystem::create_symlink("none/r.json", project.folder / "link");
  std::filesystem::create_symlink("loop", project.folder / "loop");
  std::pair<std::string, std::string> const refused[] = {
      {"none/r.json", "No such file or directory"}, {"tmp", "Is a directory"},
      {"none/", "No such file or directory"},       {"file/r.json", "Not a directory"},
      {"link", "No such file or directory"},        {"loop", "Too many levels of symbolic links"}};
  for (auto const& [output, why] : refused)
    for (std::string const command : {"run --format json", "run", "list", "show a", "check"}) {
      auto const result = project.by_shell("exec \"$GATES\" " + command + " -o " + output);
      INFO(command << " -o " << output << ": " << result.output);
      CHECK(result.exit_code == 1);
      CHECK(result.output == "gates: " + output + ": cannot be written: " + why + "; name a file in a folder that can be written\n");
      CHECK(project.holds_only({"file", "gates", "link", "loop", "tmp"}));
    }
  CHECK(slurp(project.folder / "file") == "kept");
}

TEST_CASE("an output folder that is read-only, or holds a file of somebody else's, is refused before the first gate runs", "[program]") {
  NoRoom const project("touch ran");
  // Nobody owns nothing here: what is run by that user has the rights of others.
  auto const result = project.by_shell(
      "chmod 755 .; mkdir -m 755 mine; mkdir -m 1777 shared; echo kept >shared/r; echo kept >mine/r; chmod 1777 tmp\n"
      "as_nobody=\"setpriv --reuid 65534 --regid 65534 --clear-groups\"; $as_nobody \"$GATES\" list >tmp/list 2>&1 || exit 99\n"
      "for output in mine/r mine/new shared/r; do $as_nobody \"$GATES\" run -o $output; echo code $?; done; cat mine/r shared/r; ls mine "
      "shared; rm tmp/list");
  INFO(result.output);
  if (result.exit_code == 99) return skip_case("no other user can be taken here");
  std::string const advice = "; name a file in a folder that can be written\ncode 1\n";
  CHECK(result.output == "gates: mine/r: cannot be written: Permission denied" + advice +  //
                             "gates: mine/new: cannot be written: Permission denied" + advice +
                             "gates: shared/r: cannot be written: Operation not permitted" + advice +
                             "kept\nkept\nmine:\nr\n\nshared:\nr\n");
  CHECK_FALSE(std::filesystem::exists(project.folder / "ran"));
}

TEST_CASE("an output that can be written is not touched before the report is there", "[program]") {
  NoRoom const project("cat out >seen; ls >listed");
  write(project.folder / "out", "before");
  CHECK(project.by_shell("exec \"$GATES\" run -o out").exit_code == 0);
  CHECK(slurp(project.folder / "seen") == "before");
  CHECK(slurp(project.folder / "listed") == "gates\nlisted\nout\nseen\ntmp\n");
  CHECK(slurp(project.folder / "out").starts_with("seed 1\n"));
  auto const piped = project.by_shell("mkfifo pipe; cat pipe >read & \"$GATES\" run -o pipe >said; echo code $?; wait; cat read");
  CHECK(piped.output.starts_with("code 0\nseed 1\n"));
}

TEST_CASE("a run whose temporary folder is full says so once, whatever the format, and where to make room", "[program]") {
  NoRoom const project("cat /dev/zero >\"$TMPDIR/much\"; kill -SEGV $$");
  write(project.folder / "gates/b.gate.json", gate_file("b", "cat /dev/zero >\"$TMPDIR/much\"; exit 3"));
  write(project.folder / "gates/c.gate.json", gate_file("c", "exit 0"));
  for (std::string const words : {"", "--format json >/dev/null", "-o report >/dev/null"}) {
    auto const result =
        project.by_shell("exec unshare -m sh -c 'mount -t tmpfs -o size=64k none tmp || exit 99; \"$GATES\" run a b 2>err " + words +
                         "; code=$?; cat err; rm err; echo code $code; \"$GATES\" run c 2>&1 >/dev/null' 2>/dev/null");
    INFO(result.output);
    if (result.exit_code != 0) return skip_case("no file system can be mounted here");
    std::string const line =
        "gates: " + (project.folder / "tmp").string() + ": no space left on the device; set TMPDIR to a folder with more room\n";
    CHECK(result.output.ends_with(line + "code 2\n"));
    CHECK(result.output.find("no space left") == result.output.rfind("no space left"));
  }
}
