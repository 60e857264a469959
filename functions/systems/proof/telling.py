"""How the proof is told in answers: a look at the watched numbers, and what is asked for and done."""

from collections.abc import Sequence
from typing import Any

from edgewise import AggregateId, Millis, rfc_3339
from functions.systems.operations.naming import spelled
from functions.systems.proof.entity import Asked, Done, Fault, Watch
from functions.systems.proof.looking import Look
from functions.systems.proof.models import DoneOut, FaultOut, PlainOut, RecountedOut, ShardOut, WatchOut


def look_out(
    asked: Asked, seen: Look | None, abouts: Sequence[AggregateId], done: Sequence[Done], at: Millis
) -> dict[str, Any]:
    """The members of a LookOut. `seen`: None where nobody watches. `done`: the lines of the log to tell."""
    watch = asked.watched(at)
    begins = seen is not None and None in seen.differences
    return {
        "at": rfc_3339(at),
        "slow_until": rfc_3339(asked.slow_until) if asked.slow_until > at else None,
        "asked": [fault_out(each) for each in asked.due(at).faults],
        "verdict": "unwatched" if seen is None else "begins" if begins else "compared",
        "why": _why(seen) if seen and begins else "",
        "quarantined": seen.quarantined if seen else 0,
        "numbers": _numbers(watch, abouts, seen) if watch and seen else [],
        "shards": _shards(seen) if seen else [],
        "done": [_done_out(each) for each in done],
    }


def _why(seen: Look) -> str:
    if seen.quarantined:
        return (
            f"{seen.quarantined} records in quarantine: until they are redriven, nobody can tell what the numbers have"
        )
    return f"what came before the watch must be counted first: all is, until {rfc_3339(seen.left.since)}"


def _numbers(watch: Watch, abouts: Sequence[AggregateId], seen: Look) -> list[RecountedOut]:
    found = []
    for position, about in enumerate(abouts):
        stored = seen.stored[position].count
        difference = seen.differences[position]
        lacks = seen.lacks[position]
        plain = PlainOut(added=seen.added[position], drift=seen.drifts[position]) if watch.plain else None
        found.append(
            RecountedOut(
                kind=about.kind.name,
                dimensions=spelled(about),
                cell=watch.numbers[position].cell,
                stored=stored,
                expected=None if difference is None else stored - difference,
                difference=difference,
                lacks=lacks,
                verdict="wrong" if difference else "lacks" if lacks else "begins" if difference is None else "equal",
                plain=plain,
            )
        )
    return found


def _shards(seen: Look) -> list[ShardOut]:
    courses = seen.left.recount.courses
    return [
        ShardOut(shard=shard, delivered=came.delivered, again=came.again, at=rfc_3339(courses[shard].at))
        for shard, came in sorted(seen.came.items())
    ]


def watch_out(watch: Watch) -> WatchOut:
    """A watch."""
    return WatchOut(id=watch.id, since=rfc_3339(watch.since), until=rfc_3339(watch.until), plain=watch.plain)


def fault_out(fault: Fault) -> FaultOut:
    """A fault that is asked for."""
    return FaultOut(id=fault.id, kind=fault.kind, at=rfc_3339(fault.at), shard=fault.shard or None)


def _done_out(done: Done) -> DoneOut:
    return DoneOut(id=done.fault.id, kind=done.fault.kind, at=rfc_3339(done.at), shard=done.shard, what=done.what)
