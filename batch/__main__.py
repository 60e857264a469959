"""`make reconcile`: exports the local cloud's table, counts every aggregate anew, and prints what differs."""

import shutil
import sys
from collections.abc import Iterator

from batch import exports, job
from batch.comparing import FOLLOWS, Compared
from batch.exports import TornExportError
from batch.folders import Folder
from batch.job import Job
from batch.reconcile import Check, Declared
from functions import clock
from functions.times import rfc_3339
from local import deploy
from local.errors import LocalError
from local.paths import ROOT
from local.stage import running_cloud
from local.stored import items

BUCKET, PREFIX, RESULT = ROOT / ".local" / "exports", "AWSDynamoDB/local", "result"
ITEMS_A_FILE = 10_000
# How many differences are printed.
SHOWN = 20


class ReconcileError(LocalError):
    """Nothing can be reconciled, or something differs."""


def run(stage: str) -> Check:
    """Export and reconcile; raises LocalError, TornExportError."""
    if stage != deploy.LOCAL:
        raise ReconcileError("reconcile runs on the local cloud only, so far")
    cloud = running_cloud()
    shutil.rmtree(BUCKET / PREFIX, ignore_errors=True)
    table, folder = deploy.outputs(cloud).values["TableName"], Folder(BUCKET)
    lines = list(map(exports.full_line, items(cloud, table)))
    exports.written(folder.write, PREFIX, [rfc_3339(clock.now())], lines, ITEMS_A_FILE)
    check, _ = job.run(folder, Job("local", PREFIX, None, RESULT), print, Declared())
    return check


def told(check: Check) -> Iterator[str]:
    """The outcome in lines: the causes first, and what only follows from them."""
    yield f"{check.aggregates:,} aggregates compared, {len(check.wrong):,} differences"
    for each in sorted(check.wrong, key=lambda each: each.why == FOLLOWS)[:SHOWN]:
        yield _line(each)
    if (more := len(check.wrong) - SHOWN) > 0:
        yield f"and {more:,} more"


def _line(of: Compared) -> str:
    if of.reason:
        return f"{of.key.pk} / {of.key.sk}: can't be read: {of.reason}"
    cells = (
        f"{name}: expected {expected or 'nothing'}, stored {of.stored[name] or 'nothing'}"
        for name, expected in of.expected.items()
    )
    return f"{of.why}: {of.key.pk} / {of.key.sk}: {'; '.join(cells)}"


if __name__ == "__main__":
    try:
        outcome = run(sys.argv[1])
    except (LocalError, TornExportError) as error:
        sys.exit(str(error))
    print("\n".join(told(outcome)))
    sys.exit(0 if outcome.good else 1)
