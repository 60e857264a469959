"""`make reconcile`, `make backfill`, `make fill`: runs of a stage's state machine; prints what they found.

The status is 0 if nothing differs, 1 if something does, 2 if there is no result.
"""

import sys
from collections.abc import Mapping

from batch.exports import TornExportError
from batch.results import BACKFILL, PLAN
from batch.runs import followed_run, job_runner
from batch.runs.run_report import SHOWN, differences, filled, told
from batch.runs.run_results import Results
from ops import local_cloud
from ops.errors import LocalError
from ops.stage import Stage, running_cloud

GOOD, DIFFERENT, NO_RESULT = range(3)
FILL, ALL = "fill", "all"
# How many lines of each list are printed.
SHOWN_OF = {"": SHOWN, ALL: sys.maxsize}
# What `make` asks for, and what the state machine is asked for.
ASKED: Mapping[str, Mapping[str, str]] = {
    "": {"kind": "reconcile"},
    PLAN: {"kind": "reconcile", "apply": PLAN},
    BACKFILL: {"kind": "reconcile", "apply": BACKFILL},
    FILL: {"kind": "fill"},
}


class AskedError(LocalError):
    """There is no such run."""


def main(on: str, asked: str, tell: str = "") -> int:
    """Check, or do what is asked for, and print the outcome; returns the status. Raises LocalError, TornExportError."""
    if asked not in ASKED:
        raise AskedError(f"APPLY={asked}: expected {PLAN}, or nothing")
    if tell not in SHOWN_OF:
        raise AskedError(f"TELL={tell}: expected {ALL}, or nothing")
    stage = Stage(on)
    results = _results(stage, ASKED[asked])
    with stage.telling():
        if asked == FILL:
            print(filled(results.summary()))
            return GOOD
        found = results.checked()
        print("\n".join(told(results, found, SHOWN_OF[tell])))
    return DIFFERENT if differences(found) else GOOD


def _results(stage: Stage, asked: Mapping[str, str]) -> Results:
    """What a run has left when it ends; on the local cloud, its job is done here."""
    bucket = followed_run.outputs(stage)[followed_run.BUCKET]
    local = stage.name == local_cloud.STAGE
    run = job_runner.run(running_cloud(), asked, print) if local else followed_run.run(stage, asked, print)
    print(f"stored: GET /checks/{run}")
    return Results(stage.client("s3"), bucket, run)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (LocalError, TornExportError) as error:
        print(error, file=sys.stderr)
        sys.exit(NO_RESULT)
