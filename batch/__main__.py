"""`make reconcile`: exports the local cloud's table, counts every aggregate anew, and prints what differs."""

import shutil
import sys
from collections.abc import Iterator

from batch import exports
from batch.comparing import Difference
from batch.exports import TornExportError
from batch.reconcile import Check, reconciled
from functions import clock
from functions.catalog import CATALOG
from functions.times import rfc_3339
from local import deploy
from local.errors import LocalError
from local.paths import ROOT
from local.stage import running_cloud
from local.stored import items

BUCKET, PREFIX = ROOT / ".local" / "exports", "AWSDynamoDB/local"
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
    table = deploy.outputs(cloud).values["TableName"]
    exports.write(BUCKET, PREFIX, rfc_3339(clock.now()), items(cloud, table))
    return reconciled(CATALOG, exports.opened(BUCKET, PREFIX), print)


def told(check: Check) -> Iterator[str]:
    """The outcome in lines: the causes first, and what only follows from them."""
    yield f"{check.aggregates:,} aggregates compared, {len(check.differences):,} differences"
    for difference in sorted(check.differences, key=lambda each: not each.cause)[:SHOWN]:
        yield _line(difference)
    if (more := len(check.differences) - SHOWN) > 0:
        yield f"and {more:,} more"
    for key, why in list(check.unreadable.items())[:SHOWN]:
        yield f"{key.pk} / {key.sk}: can't be read: {why}"


def _line(difference: Difference) -> str:
    cells = (
        f"{name}: expected {expected or 'nothing'}, stored {difference.stored[name] or 'nothing'}"
        for name, expected in difference.expected.items()
    )
    why = "wrong" if difference.cause else "follows"
    return f"{why}: {difference.key.pk} / {difference.key.sk}: {'; '.join(cells)}"


if __name__ == "__main__":
    try:
        outcome = run(sys.argv[1])
    except (LocalError, TornExportError) as error:
        sys.exit(str(error))
    print("\n".join(told(outcome)))
    sys.exit(0 if outcome.good else 1)
