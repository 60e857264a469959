"""`make reconcile`, `make backfill`, `make fill`: runs of the local cloud's state machine; prints what they found."""

import sys
from collections.abc import Iterator, Sequence

from batch import results
from batch.comparing import BACKFILLING, FOLLOWS, Compared
from batch.exports import TornExportError
from batch.found import QUARANTINED, UNSETTLED
from batch.reconcile import Check
from functions.aggregates.additions import Added, Addition
from local import deploy, job_runner
from local.errors import LocalError
from local.stage import running_cloud

# How many differences are printed.
SHOWN = 20
FILL = "fill"
TOLD = {
    UNSETTLED: "not settled: they differ, but were being written; check again",
    QUARANTINED: "not comparable: a change of their sources is in quarantine",
    BACKFILLING: "being backfilled",
}


class ReconcileError(LocalError):
    """Nothing can be reconciled, or something differs."""


def run(stage: str, apply: str) -> Check:
    """Check the table, and apply a plan if one is named; raises LocalError, TornExportError."""
    _only_local(stage)
    if apply not in ("", results.PLAN, results.BACKFILL):
        raise ReconcileError(f"{apply!r}: expected {results.PLAN} or {results.BACKFILL}, or nothing")
    name, check = job_runner.reconcile(running_cloud(), apply, print)
    print(f"stored: GET /checks/{name}")
    return check


def told(check: Check) -> Iterator[str]:
    """The outcome in lines: the causes first, and what only follows from them."""
    yield f"{check.aggregates:,} aggregates compared, {len(check.wrong):,} differences"
    for why, meaning in TOLD.items():
        if number := check.number(why):
            yield f"{number:,} {meaning}"
    if check.late:
        yield f"{check.late:,} have not absorbed a change in time: the consumer is behind, or has lost records"
    unsettled = [each for each in check.differing if each.why == UNSETTLED]
    for some in (sorted(check.wrong, key=lambda each: each.why == FOLLOWS), unsettled):
        yield from map(_line, some[:SHOWN])
        if (more := len(some) - SHOWN) > 0:
            yield f"and {more:,} more"
    yield from _plan(check.plan)


def _line(of: Compared) -> str:
    if of.reason:
        return f"{of.key.pk} / {of.key.sk}: can't be read: {of.reason}"
    cells = (
        f"{name}: expected {expected or 'nothing'}, stored {of.stored[name] or 'nothing'}"
        for name, expected in of.expected.items()
    )
    return f"{of.why}: {of.key.pk} / {of.key.sk}: {'; '.join(cells)}"


def _plan(plan: Sequence[Compared]) -> Iterator[str]:
    if plan:
        yield f"a repair adds to {len(plan):,} aggregates:"
    for each in plan[:SHOWN]:
        carried = f"; the stream then adds {_added(each.carries)}" if each.carries else ""
        yield f"{each.key.pk} / {each.key.sk}: {_added(each.adds)}{carried}"


def _added(addition: Addition) -> str:
    parts = (f"{name} {added.count:+d}{_sum(added)}" for name, added in sorted(addition.items()))
    return ", ".join(parts)


def _sum(added: Added) -> str:
    total = f" (sum {added.total:+f})" if added.total else ""
    return f"{total} (extremes recounted)" if added.doubted else total


def main(stage: str, asked: str) -> int:
    """Check, or fill if that is asked for; the exit code. Raises LocalError, TornExportError."""
    if asked == FILL:
        print(_filled(stage))
        return 0
    outcome = run(stage, asked)
    print("\n".join(told(outcome)))
    return 0 if outcome.good else 1


def _filled(stage: str) -> str:
    _only_local(stage)
    found = job_runner.fill(running_cloud(), print)
    counted = ", ".join(f"{found[each]:,} {each}" for each in ("nodes", "edges", "components"))
    return f"{counted} in {found['seconds']} s"


def _only_local(stage: str) -> None:
    if stage != deploy.LOCAL:
        raise ReconcileError("this runs on the local cloud only, so far")


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (LocalError, TornExportError) as error:
        sys.exit(str(error))
