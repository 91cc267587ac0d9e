"""count.py gates|mutants REPORT EXIT_STATUS: prints two numbers, how many entries are as declared and how many are not.

The program's exit code has the last word: where it is not 0 and no entry says why, one failure is counted.
"""
import json
import sys


def is_as_declared(kind, entry):
    if kind == "gates":
        return entry["verdict"] in ("green", "attested")
    return entry["as_declared"] is True


def main():
    kind, path, status = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(path, encoding="utf-8") as report:
        entries = json.load(report)[kind]
    good = sum(is_as_declared(kind, entry) for entry in entries)
    bad = len(entries) - good
    for entry in entries:
        if not is_as_declared(kind, entry):
            print(f"{entry['id']}: {entry.get('verdict') or entry.get('outcome')} {entry.get('reason', '')}", file=sys.stderr)
    if bad == 0 and (status != 0 or good == 0):
        print(f"exit status {status} with {good} entries as declared", file=sys.stderr)
        bad = 1
    print(good, bad)


main()
