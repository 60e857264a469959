"""What must follow a change, finished by the stream if whoever made the change could not.

A request that has much to do stores what it is about first, then does the rest in steps. Should it die in between,
or run out of the steps that it may take, the stream still holds the first change, and the work is finished from there.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from functions.domain.errors import MalformedRecordError
from functions.store import amounts, dangling, graph_cleanup, recounts
from functions.store.attributes import Item, string
from functions.store.failures import PoisonError, sorted_out
from functions.store.stream import Record
from functions.store.table import Table
from functions.store.unknowns import RECOUNTING

# Under which what can't be understood is set aside: without a tumbling window events do not name their shard.
LANE = "cascade"


@dataclass(frozen=True)
class FollowUp:
    """What follows changes of one type of item.

    `due` decodes the new and the old image (None: there was none) and says what is to be finished, None if nothing is;
    it raises KeyError, TypeError or ValueError on a foreign item. `finish` finishes a batch of them. It may run any
    number of times, late, beside itself and beside the request, so it must look before it acts, write under conditions.
    """

    due: Callable[[Item, Item | None], Any | None]
    finish: Callable[[Table, Sequence[Any]], None]


class Due(NamedTuple):
    """Something to be finished, and what says how: the type of the changed item, or RECOUNTING."""

    type: str
    what: Any


def _each(finish: Callable[[Table, Any], None]) -> Callable[[Table, Sequence[Any]], None]:
    """Finish one after the other."""

    def finish_all(table: Table, dues: Sequence[Any]) -> None:
        for due in dues:
            finish(table, due)

    return finish_all


# By the `Type` of the changed item; the stream is filtered by these types.
FOLLOW_UPS: Mapping[str, FollowUp] = {
    "BILL_METADATA": FollowUp(amounts.changed, _each(amounts.carry)),
    "BILLED": FollowUp(amounts.added, _each(amounts.catch_up)),
    "NODE": FollowUp(graph_cleanup.due, _each(graph_cleanup.finish)),
    "GRAPH_EDGE": FollowUp(dangling.added, dangling.remove),
}
# Of items of any type that have the attribute RECOUNTING; the stream is filtered by it too.
_RECOUNTS = FollowUp(recounts.unfinished, recounts.go_on)


def due(record: Record) -> Due | None:
    """What a stream record asks for, if anything; raises MalformedRecordError if it can't be understood."""
    try:
        with sorted_out():
            change = record["dynamodb"]
            new = change.get("NewImage")
            kind = _kind(new) if new is not None else ""
            follow_up = _follow_up(kind)
            what = follow_up.due(new, change.get("OldImage")) if follow_up else None
    except PoisonError as poison:
        raise MalformedRecordError(poison.reason) from poison
    return None if what is None else Due(kind, what)


def finish(table: Table, dues: Iterable[Due]) -> None:
    """Finish what the records of one batch ask for, all of one type at once: no order is needed."""
    by_type: defaultdict[str, list[Any]] = defaultdict(list)
    for kind, what in dues:
        by_type[kind].append(what)
    for kind, whats in by_type.items():
        if follow_up := _follow_up(kind):
            follow_up.finish(table, whats)


def _kind(new: Item) -> str:
    return RECOUNTING if RECOUNTING in new else string(new["Type"])


def _follow_up(kind: str) -> FollowUp | None:
    return _RECOUNTS if kind == RECOUNTING else FOLLOW_UPS.get(kind)
