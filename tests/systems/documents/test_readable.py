"""The list of documents: what the caller may read, by the permissions, and nothing else."""

from collections.abc import Callable

import pytest

from edgewise.dynamodb.table import Table
from edgewise.stream.verification import verify
from functions.systems.documents.system import MAY_READ
from tests.support.documents import OWNER, READER, STRANGER, WRITER
from tests.support.http import Client

Drain = Callable[[], None]
ADMIN = Client("ada", ("admin", "write", "import", "ingest"))


def create(name: str, by: Client = OWNER) -> None:
    assert by.call("PUT /documents/{document}/metadata", body={"title": name}, document=name).status == 201


def share(name: str, readers: list[str], writers: list[str]) -> None:
    body = {"readers": readers, "writers": writers}
    assert OWNER.call("PUT /documents/{document}/permissions", body=body, document=name).status == 200


def readable(by: Client, **query: str) -> dict[str, str]:
    answer = by.call("GET /documents", query)
    assert (answer.status, answer.body["cursor"]) == (200, None)
    return {each["document"]: each["right"] for each in answer.body["documents"]}


def test_each_sees_what_the_permissions_give(drain: Drain) -> None:
    create("handbook")
    create("a b#c")
    create("diary", by=STRANGER)
    share("handbook", ["rita", "will"], ["will"])
    share("a b#c", ["rita"], [])
    drain()
    assert readable(OWNER) == {"a b#c": "own", "handbook": "own"}
    assert readable(WRITER) == {"handbook": "write"}
    assert readable(READER) == {"a b#c": "read", "handbook": "read"}
    assert readable(READER, begins_with="a b#") == {"a b#c": "read"}
    assert readable(STRANGER) == {"diary": "own"}
    assert readable(ADMIN) == {}


def test_what_is_revoked_leaves_and_what_is_given_comes(drain: Drain, table: Table) -> None:
    create("handbook")
    share("handbook", ["rita"], ["will"])
    drain()
    share("handbook", ["will"], [STRANGER.user])
    drain()
    assert [readable(each) for each in (READER, WRITER, STRANGER)] == [{}, {"handbook": "read"}, {"handbook": "write"}]
    for each in (OWNER, READER, WRITER, STRANGER):
        assert verify(table, MAY_READ(each.user, "handbook"), lambda: True).equal


@pytest.mark.parametrize("name", ["READER#olga", "olga#", "ol", "*", "olga "])
def test_no_name_opens_the_list_of_another(drain: Drain, name: str) -> None:
    create("handbook")
    drain()
    assert readable(Client(name)) == {}


def test_a_change_of_what_the_list_does_not_show_writes_nothing_to_it(drain: Drain, table: Table) -> None:
    create("handbook")
    share("handbook", ["rita"], [])
    drain()
    before = [item for item in _edges(table) if "READER#will" not in str(item)]
    share("handbook", ["rita"], ["will"])
    drain()
    assert [item for item in _edges(table) if "READER#will" not in str(item)] == before


def _edges(table: Table) -> list[dict[str, object]]:
    found = table.client.scan(TableName=table.name)["Items"]
    return [dict(item) for item in found if item["Type"]["S"] == "MAY_READ"]
