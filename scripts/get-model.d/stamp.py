"""The stamp of a model directory: what made it, and what each of its files must hash to."""

import hashlib
import json
import pathlib
import sys

NAME = "redproof-model.json"
HERE = pathlib.Path(__file__).resolve().parent


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def recipe():
    """Package versions and the converter's own text: a change to either makes the directory anew."""
    return {name: sha256(HERE / name) for name in ("requirements.txt", "smollm2.py")}


def write(directory, origin):
    files = {path.name: sha256(path) for path in sorted(directory.iterdir())}
    stamp = {"origin": origin, "recipe": recipe(), "files": files}
    (directory / NAME).write_text(json.dumps(stamp, indent=1) + "\n")


def holds(directory):
    try:
        stamp = json.loads((directory / NAME).read_text())
        return stamp["recipe"] == recipe() and all(sha256(directory / name) == digest for name, digest in stamp["files"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


if __name__ == "__main__":
    sys.exit(0 if holds(pathlib.Path(sys.argv[1])) else 1)
