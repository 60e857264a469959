"""The requests of a table's owner: the one that makes the table, and what others write by theirs."""

from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.dynamodb.existing import INDEX, INDEX_PARTITION, INDEX_SORT, LISTED
from edgewise.own.table import OwnTable

# Indexes of the owner by name: of each, the forms of its keys by name.
Indexes = Mapping[str, Mapping[str, str]]


def table_request(own: OwnTable, name: str, indexes: Indexes) -> dict[str, Any]:
    """The request that makes the table. The engine's index tells what the construct lets it, and others everything."""
    attributes = dict(own.keys)
    for keys in indexes.values():
        attributes |= keys
    request = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": _schema([*own.keys]),
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": form} for name, form in attributes.items()],
    }
    told = {INDEX: {"ProjectionType": "INCLUDE", "NonKeyAttributes": [LISTED]}}
    found = [
        {"IndexName": name, "KeySchema": _schema([*keys]), "Projection": told.get(name, {"ProjectionType": "ALL"})}
        for name, keys in indexes.items()
    ]
    return request | ({"GlobalSecondaryIndexes": found} if found else {})


def indexed(own: OwnTable) -> Indexes:
    """The engine's index, if the table has its items."""
    return {INDEX: {INDEX_PARTITION: "S", INDEX_SORT: "S"}} if own.has_room else {}


def written(body: Any, keys: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Item]]:
    """The keys of the items that a request writes, with their tables; `keys`: what these are called by table."""
    actions = [(body["TableName"], body)] if "TableName" in body else []
    for table, requests in body.get("RequestItems", {}).items():
        actions += [(table, each) for request in requests for each in request.values()]
    for item in body.get("TransactItems", ()):
        actions += [(each["TableName"], each) for each in item.values()]
    for table, action in actions:
        whole = action.get("Item") or action.get("Key")
        yield table, {name: _as_given(whole[name]) for name in keys[table]}


def _as_given(key: Attribute) -> Attribute:
    """A key of a request: bytes are written as text."""
    return {"B": b64decode(key["B"])} if "B" in key else key


def _schema(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]
