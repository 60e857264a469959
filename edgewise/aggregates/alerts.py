"""Alerts: conditions on what an aggregate counts. People are told whenever one begins to hold, or ceases to.

Whether a condition holds is kept in the aggregate's item, with the version at which that last changed. So a write that
changes the numbers decides it, once, however often records are delivered, and the record of that write tells of it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.dynamodb.attributes import Item, integer, n

ALERT = "ALERT"  # the type of the items that tell of alerts
_ALERTS, _EMPTY = "Alerts", Cell()


class Alert(NamedTuple):
    """A condition on an aggregate: what it is about, and its cells; of what it has never counted, an empty cell.

    It sees the cells as a batch leaves them, without extremes while these are recounted. None: it can't tell now, so
    what held still holds.
    """

    name: str
    when: Callable[[AggregateId, Mapping[str, Cell]], bool | None]


class _Cells(dict[str, Cell]):
    def __missing__(self, _name: str) -> Cell:
        return _EMPTY


class Held(NamedTuple):
    """Whether a condition holds, and the aggregate's version at which that last changed."""

    holds: bool
    since: int


class Alerts:
    """Its aggregates keep which of these conditions hold."""

    costs = (
        "a condition that begins or ceases to hold: a read, 2 units for the alert, and a message to the stage's topic"
    )

    def __init__(self, *alerts: Alert) -> None:
        self.alerts = alerts

    def held(
        self, about: AggregateId, version: int, cells: Mapping[str, Cell], before: Mapping[str, Held]
    ) -> Mapping[str, Held]:
        """What is kept of each condition once an aggregate has these cells; the very same if nothing has changed."""
        met = _Cells(cells)
        holding = {alert.name: alert.when(about, met) for alert in self.alerts}
        known = {name: before[name] for name in holding if name in before}
        changed = {
            name: Held(holds, version)
            for name, holds in holding.items()
            if holds is not None and holds != (name in known and known[name].holds)
        }
        after = {**known, **changed}
        return before if after == before else after


def crossings(item: Item) -> Iterator[tuple[str, bool]]:
    """The conditions that have begun (true) or ceased (false) to hold with the last write of an aggregate's item."""
    version = integer(item["Version"])
    return ((name, holds) for name, (holds, since) in held(item).items() if since == version)


def held(item: Item) -> Mapping[str, Held]:
    """What an item keeps of each condition that has ever held."""
    kept = item[_ALERTS]["M"].items() if _ALERTS in item else ()
    return {name: Held(bool(each["L"][0]["BOOL"]), integer(each["L"][1])) for name, each in kept}


def held_item(kept: Mapping[str, Held]) -> Item:
    """The inverse of `held`."""
    return {_ALERTS: {"M": {name: {"L": [{"BOOL": holds}, n(since)]} for name, (holds, since) in kept.items()}}}
