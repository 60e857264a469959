"""Reads a whole table page by page: the owner's items, or the engine's where these are apart."""

from collections.abc import Callable
from typing import Any, NamedTuple

from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item, key_item, key_of
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Delete

PAGE = 100


class Removed(NamedTuple):
    """How many items were seen, and how many removed; not `complete` if the time ran out: ask once more then."""

    seen: int
    removed: int
    complete: bool


def page(table: Table, after: Item | None, limit: int, *, own: bool = False) -> tuple[list[Item], Item | None]:
    """The next items behind a key, strongly consistent, as the engine knows them; and where to go on, None at the end.

    There may be none, and more behind them. `own`: the engine's own items; by default the owner's. Either may be among
    the others, if both are in one table.
    """
    client: Any = table.client
    scan = client.scan if own else client.scan_others
    start = {"ExclusiveStartKey": after} if after else {}
    answer = scan(TableName=table.name, Limit=limit, ConsistentRead=True, **start)
    last = answer.get("LastEvaluatedKey")
    return answer["Items"], key_item(key_of(last)) if last else None


def remove(table: Table, is_one: Callable[[Item], bool], may_go_on: MayGoOn) -> Removed:
    """Remove all items of the engine's of which a function says so."""
    seen, removed, after, more = 0, 0, None, True
    while more and may_go_on():
        items, after = page(table, after, PAGE, own=True)
        for key in (key_of(item) for item in items if is_one(item)):
            table.write(Delete(key))
            removed += 1
        seen, more = seen + len(items), after is not None
    return Removed(seen, removed, complete=not more)
