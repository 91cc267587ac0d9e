"""count.py gates|mutants|planting REPORT EXIT_STATUS: prints two numbers, how many entries are as declared and how many are not.

Of `planting` there is one entry: that both ways of planting gave every mutant the same outcome.
The program's exit code has the last word: where it is not 0 and no entry says why, one failure is counted.
"""
import json
import re
import sys


def is_as_declared(kind, entry):
    if kind == "gates":
        return entry["verdict"] in ("green", "attested")
    return entry["as_declared"] is True


def comparison(notes, status):
    """What a run of both plantings says of itself, as an entry. Where nothing could be compared, nothing was shown."""
    found = [re.match(r"both plantings agree on (\d+) mutants and differ on (\d+);", note) for note in notes]
    said = [(int(match[1]), int(match[2])) for match in found if match]
    equal = len(said) == 1 and said[0][0] > 0 and said[0][1] == 0
    return {"id": "both plantings", "as_declared": equal and status == 0, "reason": "; ".join(notes)}


def main():
    kind, path, status = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    entries = [comparison(report["notes"], status)] if kind == "planting" else report[kind]
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
