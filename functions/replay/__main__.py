"""The process of one run: `python -m functions.replay 41 12k,60p` writes the answer to `GET /proof/run`."""

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path

from functions.replay.watching import answer

if __name__ == "__main__":
    seed, script = sys.argv[1:]
    # The consumer prints its metrics: those of a run are nobody's.
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        run = answer(int(seed), script)
    sys.stdout.write(run.model_dump_json())
