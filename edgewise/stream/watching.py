"""Verifies aggregates that are never at rest: each right after it has changed.

An export shows all aggregates at one instant, at which a busy one nearly always has a change to absorb. Whoever watches
it meets a moment at which it has absorbed all of them, and one such moment proves its numbers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.open_hours.declaration import opened_in
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import integer
from edgewise.dynamodb.table import Table
from edgewise.stream.verification import Verification, verify
from edgewise.times import Millis

# The versions of an aggregate, and of the one in which something may be open for it; 0: there is none.
Versions = tuple[int, ...]


class _Seen(NamedTuple):
    """What was found at the last change."""

    at: Millis
    versions: Versions
    found: Verification


@dataclass
class Watched:
    """How many aggregates were found right, those that are wrong although they rest, and those that never agreed."""

    right: int = 0
    wrong: list[Verification] = field(default_factory=list)
    busy: list[AggregateId] = field(default_factory=list)


def watch(
    table: Table, about: Sequence[AggregateId], rest: Millis, pause: Callable[[], None], may_go_on: MayGoOn
) -> Watched:
    """Verify each aggregate whenever it changes, until it equals its sources once, or for as long as `may_go_on`.

    One is wrong if it and its sources stay the same for `rest`, which must be longer than a change takes through the
    stream. `pause` comes between two looks.
    """
    outcome, waiting = Watched(), dict[AggregateId, _Seen | None].fromkeys(about)
    while waiting and may_go_on():
        for each, versions in _versions(table, list(waiting)).items():
            waiting[each] = seen = _look(table, each, versions, waiting[each], rest, may_go_on)
            if seen.found.equal:
                outcome.right += 1
            elif clock.now() - seen.at >= rest and seen.found.complete:
                outcome.wrong.append(seen.found)
            else:
                continue
            del waiting[each]
        pause()
    outcome.busy = list(waiting)
    return outcome


def _look(
    table: Table, about: AggregateId, versions: Versions, seen: _Seen | None, rest: Millis, may_go_on: MayGoOn
) -> _Seen:
    """What was found, and since when nothing has changed."""
    now = clock.now()
    if seen and seen.versions == versions and now - seen.at < rest:
        return seen
    found = verify(table, about, may_go_on)
    return seen if seen and found == seen.found else _Seen(now, versions, found)


def _versions(table: Table, about: Sequence[AggregateId]) -> Mapping[AggregateId, Versions]:
    of = {each: tuple(map(keys.of, _with_opened(each))) for each in about}
    items = table.get_many(list(dict.fromkeys(key for some in of.values() for key in some)))
    found = {key: integer(item["Version"]) for key, item in items.items()}
    return {each: tuple(found.get(key, 0) for key in some) for each, some in of.items()}


def _with_opened(about: AggregateId) -> Sequence[AggregateId]:
    opened = opened_in(about)
    return (about, opened) if opened else (about,)
