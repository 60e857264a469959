"""What a run found, in lines for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from batch.comparing import BACKFILLING, EXPIRED, FOLLOWS, UNREADABLE
from batch.found import QUARANTINED, UNSETTLED
from batch.results import BACKFILL, DIFFERENCES, PLAN, UNSETTLED_ONES, WAITING
from batch.runs.run_results import Line, Results
from edgewise.aggregates import additions, keys
from edgewise.aggregates.additions import Added, Addition
from functions.catalog import CATALOG

# How many lines of each list are printed, unless all are asked for.
SHOWN = 20
TOLD = {
    UNSETTLED: "not settled: they differ, but were being written; check again",
    QUARANTINED: "not comparable: a change of their sources is in quarantine",
    BACKFILLING: "being backfilled",
    EXPIRED: "not comparable: they count more than their sources, which have a time to live; some may have expired",
}
DIRECT = {
    "verified": "not settled three times in a row, then verified directly: they are right",
    "busy": "never settled: they always had a change to absorb",
}


def differences(summary: Mapping[str, Any]) -> int:
    """How many aggregates, and what is derived, are not as they should be, and how many items can't be read."""
    of_kinds: Mapping[str, Mapping[str, int]] = summary["differences"]
    found = sum(sum(by_why.values()) for by_why in of_kinds.values())
    return found + len(summary["direct"]["differences"])


def told(results: Results, summary: Mapping[str, Any], shown: int = SHOWN) -> Iterator[str]:
    """The outcome of a check in lines: the causes first, and what only follows from them; of each so many."""
    yield f"{summary['aggregates']:,} aggregates compared, {differences(summary):,} differences"
    for why, meaning in TOLD.items():
        if number := summary[why]:
            yield f"{number:,} {meaning}"
    for how, meaning in DIRECT.items():
        if number := summary["direct"][how]:
            yield f"{number:,} {meaning}"
    if late := summary["late"]:
        yield f"{late:,} have not absorbed a change in time: the consumer is behind, or has lost records"
    found = [*results.first(DIFFERENCES, shown), *summary["direct"]["differences"]]
    causes_first = sorted(found, key=lambda each: bool(each["why"] == FOLLOWS))
    yield from _some(causes_first[:shown], differences(summary))
    yield from _some(results.first(UNSETTLED_ONES, shown), summary[UNSETTLED])
    if number := summary[WAITING]:
        yield f"{number:,} repairs wait until what they feed is settled: else they would make right numbers wrong"
        yield from map(_planned, results.first(WAITING, shown))
    yield from _plan([*results.first(PLAN, shown), *results.first(BACKFILL, shown)], summary, shown)
    for of in summary["unjudged"]:
        yield f"not judged, of {of['items']:,} {of['type']}: {of['what']}"


def filled(summary: Mapping[str, Any]) -> str:
    """The outcome of a fill."""
    counted = ", ".join(f"{summary[each]:,} {each}" for each in ("nodes", "edges", "components"))
    return f"{counted} in {summary['seconds']} s"


def _some(shown: Sequence[Line], number: int) -> Iterator[str]:
    """The first of so many."""
    yield from map(_line, shown)
    if number > len(shown):
        yield f"and {number - len(shown):,} more (TELL=all prints all)"


def _line(of: Line) -> str:
    if of["why"] == UNREADABLE:
        return f"{of['pk']} / {of['sk']}: can't be read: {of['reason']}"
    cells = (
        f"{name}: expected {expected or 'nothing'}, stored {of['stored'][name] or 'nothing'}"
        for name, expected in of["expected"].items()
    )
    what_to_do = [of["reason"]] if of["reason"] else []
    return f"{of['why']}: {of['pk']} / {of['sk']}: {'; '.join([*cells, *what_to_do])}"


def _plan(plan: Sequence[Line], summary: Mapping[str, Any], shown: int) -> Iterator[str]:
    number = summary["planned"] + summary["to_backfill"]
    if number:
        yield f"a repair adds to {number:,} aggregates:"
    yield from map(_planned, [each for each in plan if "adds" in each][:shown])
    if derived := summary["derived"]:
        yield f"a repair derives {derived:,} anew"


def _planned(of: Line) -> str:
    key = keys.of(CATALOG.named(of["about"]))
    adds, carries = map(additions.of_plain, (of["adds"], of["stream_adds"]))
    return f"{key.pk} / {key.sk}: {_added(adds)}" + (f"; the stream then adds {_added(carries)}" if carries else "")


def _added(addition: Addition) -> str:
    parts = (f"{name} {added.count:+d}{_sum(added)}" for name, added in sorted(addition.items()))
    return ", ".join(parts)


def _sum(added: Added) -> str:
    total = f" (sum {added.total:+f})" if added.total else ""
    return f"{total} (extremes recounted)" if added.doubted else total
