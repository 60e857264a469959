"""What a run leaves in the bucket: a summary, and gzipped lines of what differs and of what would put it right."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from batch.comparing import BACKFILLING, EXPIRED, FOLLOWS, NOTED, UNREADABLE, WRONG, Compared
from batch.derived import Astray
from batch.exports import Read, Write
from batch.found import QUARANTINED, UNSETTLED
from batch.gathering import UNDECLARED
from batch.reconcile import Check, Declared
from edgewise.aggregates import additions
from edgewise.aggregates.backfill import backfilled
from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import chunks

SUMMARY = "summary.json"
# Folders of lines. What a backfill adds is apart from what repairs add: they are applied when somebody asks for them.
# What waits is applied by nobody.
DIFFERENCES, UNSETTLED_ONES = "differences", "unsettled"
# What is to be verified directly, because it was unsettled so many times in a row.
DOUBTFUL, IN_A_ROW = "doubtful", 3
PLAN, BACKFILL, WAITING = "plan", "backfill", "waiting"
# How many lines one file has: one invocation of a function applies the plan of a file.
LINES = 1000
# How many times in a row aggregates were unsettled, by their keys.
Counts = Mapping[Key, int]
_CAUSES_FIRST = (WRONG, NOTED, UNREADABLE, FOLLOWS)


def write(
    write: Write, prefix: str, declared: Declared, check: Check, before: Counts, told: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Write the results of a run below a prefix, and the summary last; `told` are further numbers for the summary.

    `before`: how many times in a row aggregates had been unsettled.
    """
    reported = sorted(check.reported, key=lambda each: (_CAUSES_FIRST.index(each.why), each.key))
    _lines(write, f"{prefix}/{DIFFERENCES}", map(difference, reported))
    backfills, repairs = plans(declared.catalog, check)
    derived = [each.repair for each in check.astray if each.why == WRONG and each.repair]
    _lines(write, f"{prefix}/{BACKFILL}", map(planned, backfills))
    files = [*([planned(line) for line in file] for file in in_files(repairs)), *chunks(derived, LINES)]
    _write_files(write, f"{prefix}/{PLAN}", (list(map(json.dumps, file)) for file in files))
    _lines(write, f"{prefix}/{WAITING}", map(planned, check.waiting))
    chosen, times = doubtful(check, before)
    _lines(write, f"{prefix}/{DOUBTFUL}", ({"about": list(each.name or ())} for each in chosen))
    unsettled = [each for each in check.found if each.why == UNSETTLED]
    lines = (difference(each) | {"times": times.get(each.key, 0)} for each in unsettled)
    _lines(write, f"{prefix}/{UNSETTLED_ONES}", lines)
    summary = dict(told) | {
        "sources": check.sources,
        "aggregates": check.aggregates,
        "late": check.late,
        "unsettled": check.number(UNSETTLED),
        "doubtful": len(chosen),
        "quarantined": check.number(QUARANTINED),
        "backfilling": check.number(BACKFILLING),
        "expired": check.number(EXPIRED),
        "unreadable": check.number(UNREADABLE),
        "differences": _by_kind(reported),
        "planned": len(repairs),
        "derived": len(derived),
        "to_backfill": len(backfills),
        "waiting": len(check.waiting),
        "unjudged": [
            {"type": of_type, "items": number, "what": declared.derivations.unjudged.get(of_type, UNDECLARED)}
            for of_type, number in sorted(check.unjudged.items())
        ],
    }
    write(f"{prefix}/{SUMMARY}", json.dumps(summary).encode())
    return summary


def difference(of: Compared | Astray) -> dict[str, Any]:
    """An aggregate that differs, an item that can't be read, or what is derived wrongly, as a line."""
    name, checkpoints = (of.name, of.checkpoints) if isinstance(of, Compared) else (None, {})
    return {
        "kind": of.kind,
        "about": list(name or ()),
        "pk": of.key.pk,
        "sk": of.key.sk,
        "why": of.why,
        "expected": of.expected,
        "stored": of.stored,
        "checkpoints": checkpoints,
        "reason": of.reason,
    }


def unsettled_times(read: Read, prefix: str) -> Counts:
    """How many times in a row aggregates were unsettled, as the results below a prefix say; none if these are gone."""
    try:
        lines = json.loads(read(f"{prefix}/{SUMMARY}"))["unsettled"]
        parts = [read(_part(f"{prefix}/{UNSETTLED_ONES}", number)) for number in range(-(-lines // LINES))]
    except FileNotFoundError:
        return {}
    found = (json.loads(line) for part in parts for line in gzip.decompress(part).splitlines())
    return {Key(each["pk"], each["sk"]): each["times"] for each in found}


def doubtful(check: Check, before: Counts) -> tuple[Sequence[Compared], Counts]:
    """Which aggregates are to be verified directly, the longest unsettled first, and how often all have been unsettled.

    Not more than one file has lines for; these are counted anew, so that the next ones have their turn. None whose
    sources expire: no moment proves these.
    """
    unsettled = [each for each in check.differing if each.why == UNSETTLED and each.kind not in check.expiring]
    times = {each.key: before.get(each.key, 0) + 1 for each in unsettled}
    often = [each for each in unsettled if times[each.key] >= IN_A_ROW]
    chosen = sorted(often, key=lambda each: -times[each.key])[:LINES]
    return chosen, times | {each.key: 0 for each in chosen}


def planned(of: Compared) -> Mapping[str, Any]:
    """What a repair adds to an aggregate, and what the stream then carries to it, as a line."""
    assert of.name
    return {
        "about": list(of.name),
        "adds": additions.plain(of.adds),
        "knew": of.knew,
        "close": of.close,
        "together": of.together,
        "stream_adds": additions.plain(of.carries),
    }


def plans(catalog: Catalog, check: Check) -> tuple[Sequence[Compared], Sequence[Compared]]:
    """What a backfill adds, and what repairs add; aggregates that take their extremes from others come after these.

    What feeds others comes after them: else the stream would carry repairs up to aggregates whose lines are still to
    come, which then would not know them any more (edgewise/aggregates/knew.py). What belongs together is in a row, so
    that one invocation sees it, unless it does not fit into one file.
    """
    kinds = catalog.kinds
    every = sorted(
        check.plan, key=lambda each: (kinds[each.kind].comes_later, each.together, -kinds[each.kind].rank, each.key)
    )
    filling = backfilled(kinds.values())
    backfills = [each for each in every if each.kind in filling]
    return backfills, [each for each in every if each.kind not in filling]


def in_files(lines: Iterable[Compared]) -> Iterator[Sequence[Compared]]:
    """The lines of each file of a plan: those that belong together are in one, unless they are more than it has."""
    file = list[Compared]()
    for together, group in groupby(lines, key=lambda each: each.together):
        of_group = list(group)
        if together and len(file) + len(of_group) > LINES:
            yield from chunks(file, LINES)
            file = []
        file += of_group
    yield from chunks(file, LINES)


def _by_kind(reported: Sequence[Compared | Astray]) -> Mapping[str, Mapping[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for each in reported:
        of_kind = found.setdefault(each.kind, dict.fromkeys(_CAUSES_FIRST, 0))
        of_kind[each.why] += 1
    return found


def _lines(write: Write, folder: str, lines: Iterable[Mapping[str, Any]]) -> None:
    write_lines(write, folder, map(json.dumps, lines))


def write_lines(write: Write, folder: str, lines: Iterable[str]) -> None:
    """Files of lines, and one more that says that they are all there, as Spark writes them."""
    _write_files(write, folder, chunks(list(lines), LINES))


def _write_files(write: Write, folder: str, files: Iterable[Sequence[str]]) -> None:
    for number, lines in enumerate(files):
        text = "".join(f"{line}\n" for line in lines)
        write(_part(folder, number), gzip.compress(text.encode(), mtime=0))
    write(f"{folder}/_SUCCESS", b"")


def _part(folder: str, number: int) -> str:
    return f"{folder}/part-{number:05}.gz"
