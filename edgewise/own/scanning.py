"""Reads a whole table page by page: the owner's items, or the engine's where these are apart."""

from typing import Any

from edgewise.dynamodb.attributes import Item, key_item, key_of
from edgewise.dynamodb.table import Table

PAGE = 100


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
