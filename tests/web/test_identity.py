"""Who is deleted and made again under the same name is somebody else, and gets nothing of the first one's."""

from dataclasses import replace
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from functions import users
from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers")

FIRST = Client("amy", ("write", "import", "ingest"), sub="first")
AGAIN = replace(FIRST, sub="again")
BODIES: dict[str, Any] = {
    "PUT /documents/{document}/metadata": {"title": "Mine now"},
    "PUT /documents/{document}/permissions": {"readers": [], "writers": ["amy"]},
    "PUT /documents/{document}/information/{name}": {"data": {}},
    "POST /documents/{document}/versions": {"content": "mine now"},
}
OF_DOCUMENT = [
    *BODIES,
    "GET /documents/{document}",
    "GET /documents/{document}/versions",
    "GET /documents/{document}/versions/{version}",
    "GET /documents/{document}/information/{name}",
    "DELETE /documents/{document}/information/{name}",
]


def owned() -> None:
    assert FIRST.call("PUT /documents/{document}/metadata", None, {"title": "Diary"}, document="d").status == 201
    assert FIRST.call("POST /documents/{document}/versions", None, {"content": "dear"}, document="d").status == 201


@pytest.mark.parametrize("route", OF_DOCUMENT)
def test_a_document_stays_its_owners(route: str, table: Table) -> None:
    owned()
    named = {"document": "d", "version": "1", "name": "n"}
    ids = {name: value for name, value in named.items() if f"{{{name}}}" in route}
    assert AGAIN.call(route, None, BODIES.get(route), **ids).status == 404
    found = FIRST.call("GET /documents/{document}", document="d").body
    assert (found["metadata"]["title"], found["newest"]["content"]) == ("Diary", "dear")


def test_a_permission_stays_the_ones_who_had_the_name_when_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when it is given again, with others: whoever has the name now was not meant then."""
    route, named = "PUT /documents/{document}/permissions", {"bob": "bob-1", "eve": "eve-1"}
    monkeypatch.setattr(users, "sub_of", lambda _, name: named.get(name))
    owned()

    def give(*readers: str) -> Answer:
        return FIRST.call(route, None, {"readers": list(readers), "writers": []}, document="d")

    def status(sub: str) -> int:
        return Client("bob", sub=sub).call("GET /documents/{document}", document="d").status

    assert give("bob").body == {"owner": "amy", "readers": ["bob"], "writers": []}
    named["bob"] = "bob-2"
    assert give("bob", "eve").body["readers"] == ["bob", "eve"]
    assert (status("bob-1"), status("bob-2"), status("eve-1"), status("bob")) == (200, 404, 200, 404)
    give()
    give("bob")
    assert (status("bob-1"), status("bob-2"), status("eve-1")) == (404, 200, 404)


def test_a_document_is_in_its_owners_list(drain: Any) -> None:
    owned()
    drain()
    lists = [client.call("GET /documents").body["documents"] for client in (FIRST, AGAIN)]
    assert [len(each) for each in lists] == [1, 0]


@pytest.mark.parametrize(
    ("route", "ids", "body"),
    [
        ("POST /customers/{customer}/orders", {"customer": "c"}, {"amount": 1}),
        ("POST /equipment/{equipment}/audits", {"equipment": "e"}, {"auditor": "amy", "result": "passed"}),
    ],
)
def test_a_key_is_its_callers(route: str, ids: dict[str, str], body: Any) -> None:
    def post(client: Client) -> Answer:
        return replace(client, headers={"idempotency-key": "k"}).call(route, None, body, **ids)

    assert [post(client).status for client in (FIRST, FIRST, AGAIN, AGAIN)] == [201, 200, 201, 200]


def test_a_key_of_messages_is_its_callers() -> None:
    def post(client: Client, text: str) -> Any:
        keyed = replace(client, headers={"idempotency-key": "k"})
        return keyed.call("POST /rooms/{room}/messages", None, {"messages": [{"text": text}]}, room="r").body

    (first,), (again,) = post(FIRST, "hello")["messages"], post(AGAIN, "hello")["messages"]
    assert first["message_id"] != again["message_id"]
    assert {first["user"], again["user"]} == {"amy"}, "what is read is the name"
