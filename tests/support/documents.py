"""Requests about one document, and some who send them."""

from typing import Any

from edgewise.dynamodb.table import Table
from tests.support.http import Answer, Client

OWNER, WRITER, READER, STRANGER = map(Client, ("olga", "will", "rita", "stan"))
METADATA = {"title": "The handbook"}
PERMISSIONS = {"readers": ["rita"], "writers": ["will"]}
TEXT = {"content": "draft"}
INFORMATION = {"shelf": 7}
BODIES: dict[str, dict[str, Any]] = {"metadata": METADATA, "permissions": PERMISSIONS, "versions": TEXT}


def put(client: Client, what: str, body: Any = None, name: str = "d") -> Answer:
    return client.call(f"PUT /documents/{{document}}/{what}", None, body or BODIES[what], document=name)


def post(client: Client, name: str = "d", **body: Any) -> Answer:
    return client.call("POST /documents/{document}/versions", None, TEXT | body, document=name)


def get(client: Client, name: str = "d") -> Answer:
    return client.call("GET /documents/{document}", document=name)


def versions(client: Client, name: str = "d", **query: str) -> Answer:
    return client.call("GET /documents/{document}/versions", query, document=name)


def version(client: Client, number: str, name: str = "d") -> Answer:
    return client.call("GET /documents/{document}/versions/{version}", document=name, version=number)


def inform(client: Client, what: str = "storage", data: Any = None, name: str = "d") -> Answer:
    body = {"data": INFORMATION if data is None else data}
    return client.call("PUT /documents/{document}/information/{name}", None, body, document=name, name=what)


def information(client: Client, what: str = "storage", name: str = "d") -> Answer:
    return client.call("GET /documents/{document}/information/{name}", document=name, name=what)


def forget(client: Client, what: str = "storage", name: str = "d") -> Answer:
    return client.call("DELETE /documents/{document}/information/{name}", document=name, name=what)


def all_items(table: Table) -> list[Any]:
    return table.client.scan(TableName=table.name)["Items"]
