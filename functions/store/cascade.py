"""What must follow a change, finished by the stream if whoever made the change could not.

A request that has much to do stores what it is about first, then does the rest in steps. Should it die in between,
or run out of the steps that it may take, the stream still holds the first change, and the work is finished from there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from functions.domain.errors import MalformedRecordError
from functions.store import amounts, graph_cleanup
from functions.store.attributes import Item
from functions.store.stream import FOREIGN, Record
from functions.store.table import Table

# Under which what can't be understood is set aside: without a tumbling window events do not name their shard.
LANE = "cascade"


@dataclass(frozen=True)
class FollowUp:
    """What follows changes of one type of item.

    `due` decodes the new and the old image (None: there was none) and says what is to be finished, None if nothing is;
    it raises KeyError, TypeError or ValueError on a foreign item. `finish` finishes it. It may run any number of times,
    late, beside itself and beside the request, so it must look before it acts and write under conditions.
    """

    due: Callable[[Item, Item | None], Any | None]
    finish: Callable[[Table, Any], None]


# By the `Type` of the changed item; the stream is filtered by these types.
FOLLOW_UPS: Mapping[str, FollowUp] = {
    "BILL_METADATA": FollowUp(amounts.changed, amounts.carry),
    "BILLED": FollowUp(amounts.added, amounts.catch_up),
    "NODE": FollowUp(graph_cleanup.due, graph_cleanup.finish),
}


def follow_up(record: Record) -> Callable[[Table], None] | None:
    """The work that a stream record asks for, if any; raises MalformedRecordError if it can't be understood."""
    try:
        change = record["dynamodb"]
        new = change.get("NewImage")
        follow = FOLLOW_UPS.get(new["Type"]["S"]) if new is not None else None
        due = follow.due(new, change.get("OldImage")) if follow else None
    except FOREIGN as error:
        raise MalformedRecordError(f"{type(error).__name__}: {error}") from error
    if follow is None or due is None:
        return None
    finish = follow.finish
    return lambda table: finish(table, due)
