// A job array of Slurm on this machine alone, with daemons of its own: each task runs its shard of what was prepared once.
#include <unistd.h>

#include "gates/runner/json_document.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/skip.h"

using redproof::mutants::test::Project;
namespace test = redproof::mutants::test;

namespace {

// $0 folder, $1 tasks, $2 the command of each. Ends when all tasks have left their status, or after two minutes.
constexpr const char* cluster = R"sh(
d=$1 tasks=$2 command=$3 port=$((20000 + $$ % 20000))
export PATH=$PATH:/usr/sbin
mkdir -p "$d/state" "$d/spool"
chmod 700 "$d"
head -c 1024 /dev/urandom >"$d/key"
chmod 600 "$d/key"
cat >"$d/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
AuthInfo=socket=$d/munge.socket
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$d/slurmctld.pid
SlurmdPidFile=$d/slurmd.pid
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
CONF
export SLURM_CONF=$d/slurm.conf
munged --foreground --force --key-file="$d/key" --socket="$d/munge.socket" --pid-file="$d/munge.pid" --log-file="$d/munge.log" \
  --seed-file="$d/munge.seed" >"$d/munged.out" 2>&1 &
slurmctld -D -c >"$d/slurmctld.log" 2>&1 &
slurmd -D >"$d/slurmd.log" 2>&1 &
trap 'kill $(jobs -p); wait' EXIT
polls() { for _ in $(seq 1200); do if "$@"; then return 0; fi; sleep 0.1; done; return 1; }
idle() { [ "$(sinfo -h -o %t 2>"$d/sinfo.err")" = idle ]; }
ended() { [ "$(ls "$d" | grep -c '^status\.')" -eq "$tasks" ]; }
polls idle || { tail "$d"/*.log; exit 1; }
sbatch --array=1-"$tasks" --output="$d/task-%a.txt" --wrap "$command"'; echo $? >'"$d/"'status.$SLURM_ARRAY_TASK_ID' || exit 1
polls ended || { tail "$d"/*.log; exit 1; }
cat "$d"/status.* | sort -u | tr '\n' ' '
)sh";

bool has(const std::string& program) { return std::system(("PATH=$PATH:/usr/sbin command -v " + program + " >/dev/null").c_str()) == 0; }

std::string outcome_lines(const std::filesystem::path& report) {
  std::string words;
  auto const document = redproof::gates::JsonDocument::read(report);
  for (auto const& mutant : document.root().at("mutants").items())
    words += mutant.at("id").text() + " " + mutant.at("outcome").text() + "\n";
  return words;
}

}  // namespace

TEST_CASE("a Slurm array of shards, merged, is what the unsharded run leaves", "[cli]") {
  Project project;
  for (int with = 3; with < 9; ++with)
    project.add_edit("g/m" + std::to_string(with), "pair", R"("replace_literal":{"literal":"10","with":")" + std::to_string(with) + "\"}");
  auto const here = project.root().parent_path();
  auto const mutate = (test::program_folder() / "mutate").string();
  REQUIRE(project.mutate({"--format", "json", "-o", "plain.json"}).exit_code == 0);
  redproof::gates::ProcessSpec spec;
  spec.cwd = here;
  spec.unset_env = {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "CI_NODE_INDEX", "MUTATE_JOB_INDEX"};
  spec.argv = {mutate, "--catalog", "project/mutants", "--prepare", "there"};
  REQUIRE(redproof::gates::run_process(spec).exit_code == 0);
  for (const char* program : {"slurmctld", "slurmd", "sbatch", "munged"})
    if (!has(program)) return skip_case(std::string(program) + " is not installed: scripts/setup --dev");
  // Tasks of one machine need labs of their own.
  std::string const task = "cd '" + here.string() +
                           "' && mkdir -p lab.$SLURM_ARRAY_TASK_ID && REDPROOF_LAB=$PWD/lab.$SLURM_ARRAY_TASK_ID '" + mutate +
                           "' --prepared there --shard env --out out.$SLURM_ARRAY_TASK_ID";
  spec.argv = {"bash", "-c", cluster, "cluster", (here / "slurm").string(), "3", task};
  auto const array = redproof::gates::run_process(spec);
  INFO(array.output);
  REQUIRE(array.exit_code == 0);
  CHECK(array.output.ends_with("0 "));
  spec.argv = {mutate, "merge", "out.1", "out.2", "out.3", "--root", "project", "--out", "merged", "--format", "json", "-o", "merged.json"};
  CHECK(redproof::gates::run_process(spec).exit_code == 0);
  CHECK(outcome_lines(here / "merged.json") == outcome_lines(here / "plain.json"));
}
