"""The process that computes: `python -m ops.rehearsing.apart`, a kept batch a line, its differences a line.

The code of a release that nobody has deployed yet runs here on what a stage has stored. So the process has no
credentials (functions/systems/proof/replaying.py), and what it counts of itself is nobody's.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from edgewise import Key
from edgewise.stream.kept import KeptBatch
from functions.catalog import CATALOG
from functions.systems.proof.replaying import environment
from ops.errors import LocalError
from ops.rehearsing.computing import compute
from ops.rehearsing.differing import Difference, differences
from ops.rehearsing.values import Place

MODULE: Final = "ops.rehearsing.apart"


class ComputingError(LocalError):
    """The release can't even be loaded."""


def computed(batches: Sequence[KeptBatch]) -> Iterator[Sequence[Difference]]:
    """What this release computes otherwise of each of them, by a process of its own; raises ComputingError."""
    lines = "".join(f"{base64.b64encode(kept.packed).decode()}\n" for kept in batches)
    command = [sys.executable, "-m", MODULE]
    ended = subprocess.run(command, input=lines, env=environment(), capture_output=True, text=True)
    if ended.returncode:
        raise ComputingError(f"this release can't be loaded: {ended.stderr[-2000:]}")
    for line in ended.stdout.splitlines():
        yield [Difference(Place(of, Key(*key), where), *texts) for (of, key, where), *texts in json.loads(line)]


def main() -> None:
    """Compute what comes, and say what differs."""
    for line in sys.stdin:
        kept = KeptBatch.parse(base64.b64decode(line))
        early, late = (compute(CATALOG, kept, now) for now in (kept.began, kept.ended))
        print(json.dumps(differences(CATALOG, kept, early, late)))


if __name__ == "__main__":
    main()
