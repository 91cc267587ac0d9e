"""bench.py MUTATE ROOT [--catalogue] [--peers PYTHON]: figures of `mutate`, and of peers on the same project and tests, in one run.

Times are wall clock; every comparison is a ratio of two figures of this run. Nothing here decides whether a test passes.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
JUDGED = ("killed", "survived", "equivalent", "crash", "timeout", "oom", "not_reached", "wrong_reason", "no_evidence")


class Failed(Exception):
    pass


def row(what, figure, wanted):
    print(f"{what:<62} {figure:>24}   {wanted}", flush=True)


def run(command, cwd, allowed=(0,), **more):
    done = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)
    if done.returncode not in allowed:
        raise Failed(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stdout.strip().splitlines()[-1:]}")
    return done.stdout


def seconds_of(command, cwd, allowed=(0,), **more):
    start = time.monotonic()
    run(command, cwd, allowed, **more)
    return time.monotonic() - start


class Timed(NamedTuple):
    """A run of `mutate`: its output folder, its records, and when its outcomes became known."""

    out: Path
    records: list
    together: list  # of the records, those that were planted in one build
    times: list  # of each outcome, in the order in which they became known
    ran: float | None  # when all had run, where survivors' code was compared then


class Bench:
    def __init__(self, mutate, root, work):
        self.mutate, self.root, self.work = mutate, root, work
        self.environment = dict(os.environ, REDPROOF_LAB=str(work / "lab"))

    def project(self, name):
        folder = self.work / name
        shutil.copytree(HERE / name, folder)
        return folder

    def timed_mutate(self, project, *arguments):
        """Its exit code must be 0."""
        out = self.work / f"out-{project.name}-{len(list(self.work.iterdir()))}"
        command = [self.mutate, "--root", project, "--catalog", project / "mutants", "--out", out, "--no-resume", "--no-cache", *arguments]
        process = subprocess.Popen(command, cwd=project, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        times, last, ran = [], "", None
        for line in process.stdout:
            last = line.strip() or last
            if line.split(" ")[0] in JUDGED:
                times.append(time.monotonic())
            elif "; comparing what the compiler makes of them" in line:
                ran = time.monotonic()
        if process.wait() != 0:
            raise Failed(f"mutate {' '.join(map(str, arguments))}: exit {process.returncode}: {last}")
        records = [json.loads(line) for line in (out / "outcomes.jsonl").read_text().splitlines()]
        together = [record for record in records if record["planting"] == "schemata"]
        return Timed(out, records, together, times, ran)


def generated(bench):
    project = bench.project("algorithms")
    run(["./build.sh", "configure"], project)
    run(["./build.sh"], project)
    test_seconds = min(seconds_of(["./out/algorithms_test"], project) for _ in range(20))
    lines = len((project / "algorithms.cpp").read_text().splitlines())
    row(f"pristine test of the {lines}-line library", f"{1000 * test_seconds:.1f} ms", "about 10 ms")
    planted = bench.timed_mutate(project, "--generate", "algorithms.cpp", "--planting", "schemata")
    together = len(planted.together)
    # Those that were built by themselves come last.
    span = (planted.ran or planted.times[together - 1]) - planted.times[0]
    rate = 60 * (together - 1) / span
    row(f"generated mutants a minute, execution only ({together} of {len(planted.records)})", f"{rate:,.0f}", "at least 10,000")
    counts = {}
    for record in planted.records:
        counts[record["outcome"]] = counts.get(record["outcome"], 0) + 1
    row("  their outcomes", ", ".join(f"{count} {word}" for word, count in sorted(counts.items())), "")
    some = bench.timed_mutate(project, "--generate", "algorithms.cpp", "--planting", "one_a_build", "--sample", "40")
    alone = 60 * (len(some.records) - 1) / (some.times[-1] - some.times[0])
    row("  the same tool, one build a mutant (40 of them)", f"{alone:,.0f}", f"{rate / alone:.0f} times as many in one build")
    return project, rate


def universalmutator(bench, project, python, rate):
    tools = Path(python).parent
    if not (tools / "mutate").exists():
        row("universalmutator", "not measured", "PyPI is not within reach")
        return
    folder = bench.work / "peer"
    shutil.copytree(project, folder)
    (folder / "found").mkdir()
    environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")
    run([python, tools / "mutate", "algorithms.cpp", "--noCheck", "--mutantDir", "found"], folder, env=environment)
    found = sorted((folder / "found").iterdir())
    keep = found[:: max(1, len(found) // 30)][:30]
    for path in found:
        if path not in keep:
            path.unlink()
    # By the interpreter: the environment was made in another folder than it stands in, which its scripts name.
    test = "./build.sh && ./out/algorithms_test"
    command = [python, tools / "analyze_mutants", "algorithms.cpp", test, "--mutantDir", "found", "--timeout", "20"]
    seconds = seconds_of(command, folder, env=environment)
    peer = 60 * len(keep) / seconds
    row(f"  universalmutator ({len(keep)} of {len(found)} mutants)", f"{peer:,.0f}", f"ours: {rate / peer:.0f} times as many")


def overhead(bench):
    project = bench.project("overhead")
    out = bench.timed_mutate(project, "--generate", "hot.cpp", "--planting", "schemata").out
    figures = []
    for log in ("pristine/tree", "pristine/schemata"):
        text = (out / "logs" / f"{log}.hot.log").read_text().split()
        figures.append({name: float(value) for name, value in zip(text[::2], text[1::2])})
    pristine, planted = figures
    row("no mutant active, hot loop inside the mutated function", f"{planted['loop'] / pristine['loop']:.2f} x", "under 1.1 x")
    row("no mutant active, hot loop calls the mutated function", f"{planted['call'] / pristine['call']:.2f} x", "under 1.5 x")


def check(bench):
    seconds = seconds_of([bench.mutate, "--catalog", "mutants", "--check"], bench.root, env=bench.environment)
    row("mutate --check, this project's catalogue", f"{seconds:.1f} s", "at most 10 s")


def catalogue(bench):
    """Without a compiler cache: each figure is that of a machine that never built any of it."""
    seconds, outcomes = {}, {}
    environment = dict(bench.environment, CCACHE_DISABLE="1")
    for planting in ("schemata", "one_a_build"):
        out = bench.work / f"catalogue-{planting}"
        command = [bench.mutate, "--catalog", "mutants", "--planting", planting, "--out", out, "--no-resume", "--no-cache"]
        seconds[planting] = seconds_of(command, bench.root, env=environment)
        records = [json.loads(line) for line in (out / "outcomes.jsonl").read_text().splitlines()]
        outcomes[planting] = {record["id"]: record["outcome"] for record in records}
        row(f"catalogue of {len(records)} mutants, cold to report, {planting}", f"{seconds[planting]:.0f} s", "")
    ratio = seconds["one_a_build"] / seconds["schemata"]
    same = outcomes["schemata"] == outcomes["one_a_build"]
    row("  all in one build against one a build", f"{ratio:.1f} x", f"at least 8 x; outcomes {'equal' if same else 'DIFFER'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mutate", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--catalogue", action="store_true")
    parser.add_argument("--peers", metavar="PYTHON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="redproof-bench-") as work:
        bench = Bench(arguments.mutate.resolve(), arguments.root.resolve(), Path(work))
        row("what", "figure", "wanted")
        project, rate = generated(bench)
        if arguments.peers:
            universalmutator(bench, project, arguments.peers, rate)
        overhead(bench)
        check(bench)
        if arguments.catalogue:
            catalogue(bench)


try:
    main()
except Failed as failure:
    print(f"bench-mutate: {failure}", file=sys.stderr)
    sys.exit(1)
except KeyboardInterrupt:
    sys.exit(130)
