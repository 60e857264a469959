"""The table as it is: how everything lies in it, and any item collection of it or of an index."""

from functools import cache
from pathlib import Path

from aws_lambda_powertools.event_handler import Response

from edgewise import Item, Query
from edgewise.dynamodb.schema import INDEXES
from edgewise.dynamodb.units import item_bytes
from functions.systems.operations import families, shown
from functions.systems.operations.app import app
from functions.systems.operations.table_models import (
    CollectionOut,
    EntryOut,
    IndexName,
    ItemOut,
    PartitionKey,
    TableOut,
)
from functions.web import answers, http
from functions.web.paging import DEFAULT_LIMIT, CursorText, Limit, items_page

DRAWING = Path(__file__).with_name("table.json")


@http.route(
    app,
    "GET /table",
    "How everything lies in the one table: partitions, items, indexes",
    responses=answers.described(TableOut),
    group="admin",
)
def get_table() -> Response[str]:
    """No request to the table: drawn when the project is built, from what the code itself stores."""
    return Response(200, "application/json", _drawing())


@http.route(
    app,
    "GET /table/partition",
    "The items of a partition by sort key, with their entries in the indexes",
    responses=answers.described(CollectionOut),
    group="admin",
)
def get_partition(pk: PartitionKey, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query."""
    families.must_be_known(pk, families.READ)
    return _collection(Query(pk), limit, cursor)


@http.route(
    app,
    "GET /table/index",
    "The entries of a partition of an index by its sort key",
    responses=answers.described(CollectionOut),
    group="admin",
)
def get_index(
    name: IndexName, pk: PartitionKey, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query of an index, which has only what is projected into it."""
    index = next(each for each in INDEXES if each.name == name)
    families.must_be_known(pk, families.QUERIED[index])
    return _collection(Query(pk, index=index), limit, cursor)


def item_out(item: Item) -> ItemOut:
    """An item as it is shown: also one that no release knows."""
    attributes, hidden = shown.attributes(item)
    entries = [
        EntryOut(index=index.name, pk=pk, sk=sk, why=families.why(index, pk))
        for index, pk, sk in families.entries(item)
    ]
    return ItemOut(
        pk=shown.text(item, "PK") or "",
        sk=shown.text(item, "SK") or "",
        type=shown.text(item, "Type"),
        bytes=item_bytes(item),
        attributes={name: value for name, value in attributes.items() if name not in {*shown.KEYS, "Type"}},
        hidden=hidden,
        entries=entries,
    )


def _collection(query: Query, limit: int, cursor: str | None) -> Response[str]:
    found, next_cursor = items_page(query, limit, cursor, item_out)
    return answers.reply(CollectionOut(pk=query.partition, items=found, cursor=next_cursor))


@cache
def _drawing() -> str:
    return DRAWING.read_text()
