"""Marks every item of a table that a backfill has yet to count, page by page, no faster than asked.

A step may die, and two may run at once, without harm: an item is marked once, a page may be looked at again, and how
far it has come is only moved on from where the step that moves it has begun.
"""

import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from botocore.exceptions import ClientError

from edgewise import clock, surroundings
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Attribute, Item, integer, key_item, key_of, n, s, string
from edgewise.dynamodb.keys import join
from edgewise.dynamodb.schema import PARTITION_KEY
from edgewise.dynamodb.table import CONNECTIONS, RefusedError, Table
from edgewise.dynamodb.writes import Action, Condition, Delete, Put
from edgewise.errors import InvalidInputError
from edgewise.own import removals, scanning
from edgewise.own.backfill import MARK, NOTED, is_note, is_source, mark_of, period, state
from edgewise.own.removals import Removal, Removed
from edgewise.stream import doubting, register
from edgewise.times import SECOND, Millis

# How many items a page has, and how many are marked in a second at most.
PAGE, MOST_A_SECOND = 100, 5000
# A backfill starts so much later than it is asked for: until then, an invocation of the release before may go on.
SETTLING: Millis = 60 * SECOND
# By how much this process's clock and the stream's may differ; the stream tells whole seconds, rounded down. What came
# into being before the start, by the stream's clock, must be there when the first page is read.
CLOCKS: Millis = 10 * SECOND


@dataclass(frozen=True)
class Marked:
    """How many items were seen, and how many of them marked, in all steps so far; the key of the last one seen.

    `start` and `end` are those of the backfill; it has no end until it is complete. `fills`: the kinds it began with.
    """

    start: Millis = 0
    seen: int = 0
    marked: int = 0
    after: Item | None = None
    end: Millis | None = None
    fills: Sequence[str] = ()

    @property
    def complete(self) -> bool:
        """Whether all items have been seen."""
        return self.end is not None


def mark(table: Table, run: str, fills: Sequence[str], per_second: int, may_go_on: MayGoOn) -> Marked:
    """Go on where the last step ended, until all is marked or `may_go_on` is false.

    Raises InvalidInputError if it is to fill kinds that it did not begin with: what is marked already they would lack;
    or kinds that have counted without it: these it would count twice.
    """
    _refuse_counting(table, run, fills)
    reached = _reached(table, run, fills)
    if others := sorted({*fills} - {*reached.fills}):
        why = f"{run} fills {', '.join(reached.fills)} since it was asked for: give {', '.join(others)} another name"
        raise InvalidInputError.of("backfill", why)
    if not reached.complete:
        # Also if somebody declares them without it before it is: then nothing else would say so.
        register.change(table, lambda known: known.while_filling(doubting.names(reached.fills)))
    while (waits := reached.start + CLOCKS - clock.now()) > 0 and may_go_on():
        clock.sleep(min(waits / SECOND, 1))
    with surroundings.threads(min(CONNECTIONS, per_second)) as pool:
        while not (reached.complete or waits > 0) and may_go_on():
            began = clock.monotonic()
            items, after = scanning.page(table, reached.after, min(PAGE, per_second))
            done = sum(pool.map(partial(_mark, table, mark_of(run, reached.start)), filter(is_source, items)))
            seen, marked = reached.seen + len(items), reached.marked + done
            ends = None if after else clock.now() + SETTLING
            further = Marked(reached.start, seen, marked, after, ends, reached.fills)
            reached = _moved(table, run, reached, further)
            clock.sleep(max(0.0, done / per_second - (clock.monotonic() - began)))
    if reached.complete:
        # Also if an earlier step has died before it said so.
        register.change(table, lambda known: known.filled(doubting.names(reached.fills)))
    return reached


def forget(table: Table, run: str, may_go_on: MayGoOn) -> Removed:
    """Remove the notes of a backfill that is over; not `complete` if the time ran out.

    Its state goes last: as long as a note is left, nobody may begin another one by this name.
    """
    what = join(NOTED, run)
    removal = removals.find(table, what) or removals.begin(table, Removal(what, (), clock.now()))

    def ends(over: Removal) -> Sequence[Action]:
        return [Delete(state(run)), Delete(over.key, Condition.at_version(over.version))]

    return removals.go_on(table, removal, partial(is_note, run), may_go_on, ends)


def _mark(table: Table, mark: Attribute, item: Item) -> bool:
    """Mark an item that is still there and has not this mark yet; whether it was marked now."""
    client: Any = table.client
    try:
        client.update_item(
            TableName=table.name,
            Key=key_item(key_of(item)),
            UpdateExpression="SET #mark = :mark",
            ConditionExpression="attribute_exists(#pk) AND (attribute_not_exists(#mark) OR #mark <> :mark)",
            ExpressionAttributeNames={"#mark": MARK, "#pk": PARTITION_KEY},
            ExpressionAttributeValues={":mark": mark},
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False
    return True


def _reached(table: Table, run: str, fills: Sequence[str]) -> Marked:
    """How far a backfill has come; the first who asks for it says when it starts, and what it fills."""
    with suppress(RefusedError):
        table.write(Put(_state_item(run, Marked(clock.now() + SETTLING, fills=fills)), Condition.ABSENT))
    return _read(run, table.get(state(run)))


def _refuse_counting(table: Table, run: str, fills: Sequence[str]) -> None:
    """Raise InvalidInputError if some of these have counted without a backfill, unless this one is complete."""
    counted = sorted({*fills} & register.register(table).counting)
    if counted and period(table.get(state(run))).end == math.inf:
        told = ", ".join(counted)
        why = f"would count twice what {told} counted while declared without it: give views to be filled another name"
        raise InvalidInputError.of("backfill", why)


def _moved(table: Table, run: str, reached: Marked, further: Marked) -> Marked:
    """How far a backfill has come once this step has moved it on; or where another step has, which was faster."""
    known = _state_item(run, reached)
    unchanged = Condition(absent=("End",), equal={name: known[name] for name in ("Start", "Seen", "After")})
    try:
        table.write(Put(_state_item(run, further), unchanged))
    except RefusedError as refused:
        return _read(run, refused.item)
    return further


def _read(run: str, item: Item | None) -> Marked:
    """How far a backfill has come, by its state; raises InvalidInputError if it has been forgotten."""
    if item is None:
        raise InvalidInputError.of("backfill", f"{run} has been forgotten meanwhile")
    end = integer(item["End"]) if "End" in item else None
    start, seen, marked = (integer(item[name]) for name in ("Start", "Seen", "Marked"))
    began_with = list(map(string, item["Fills"]["L"]))
    return Marked(start, seen, marked, json.loads(string(item["After"])), end, began_with)


def _state_item(run: str, reached: Marked) -> Item:
    return key_item(state(run)) | {
        "Type": s(NOTED),
        "Start": n(reached.start),
        "Seen": n(reached.seen),
        "Marked": n(reached.marked),
        "After": s(json.dumps(reached.after)),
        "Fills": {"L": list(map(s, reached.fills))},
        **({"End": n(reached.end)} if reached.end else {}),
    }
