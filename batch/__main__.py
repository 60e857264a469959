"""`make reconcile`: checks the local cloud's table through its state machine, and prints what differs."""

import sys
from collections.abc import Iterator

from batch.comparing import FOLLOWS, Compared
from batch.exports import TornExportError
from batch.reconcile import Check
from local import deploy, job_runner
from local.errors import LocalError
from local.stage import running_cloud

# How many differences are printed.
SHOWN = 20


class ReconcileError(LocalError):
    """Nothing can be reconciled, or something differs."""


def run(stage: str) -> Check:
    """Check the table; raises LocalError, TornExportError."""
    if stage != deploy.LOCAL:
        raise ReconcileError("reconcile runs on the local cloud only, so far")
    name, check = job_runner.reconcile(running_cloud(), print)
    print(f"stored: GET /checks/{name}")
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
