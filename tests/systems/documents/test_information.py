"""Information of any name that is kept with a document, beside metadata, permissions and versions."""

from decimal import Decimal
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from functions.systems.documents.entity import MAX_INFORMATION
from tests.support.documents import OWNER, READER, WRITER, all_items, forget, get, inform, information, post, put

# Names that other items of a document have, and some that would end a key or begin another one.
NAMES = ["storage", "metadata", "permissions", "information", "v_0", "v_000000001", "x_", "x_storage", "EDGE#", "AT"]
ODD = ["a/b", "50%", "#", "$23", "日本 #1", "..", "\U0001f600", " ", "x" * 64]


@pytest.fixture(autouse=True)
def document(handlers: None) -> None:
    """Olga's, which Will may write and Rita may read; one version."""
    put(OWNER, "metadata")
    put(OWNER, "permissions")
    post(OWNER)


def test_it_is_written_and_read_under_its_own_name() -> None:
    created = inform(WRITER, "storage", {"shelf": 7, "room": {"floor": 2}})
    assert (created.status, created.body) == (201, {"name": "storage", "data": {"shelf": 7, "room": {"floor": 2}}})
    replaced = inform(OWNER, "storage", {"shelf": 8})
    assert (replaced.status, replaced.body["data"]) == (200, {"shelf": 8})
    assert (information(READER).status, information(READER).body) == (200, replaced.body)


def test_the_document_tells_its_names_in_one_request() -> None:
    for name in ("storage", "review", "a"):
        inform(OWNER, name)
    found = get(READER)
    assert (found.body["information"], found.cost[0]) == (["a", "review", "storage"], 1)


def test_what_is_removed_is_gone_and_may_come_again() -> None:
    inform(OWNER)
    assert [forget(WRITER).status, forget(WRITER).status, information(READER).status] == [204, 204, 404]
    assert information(READER).body["detail"] == "there is no information 'storage'"
    assert get(READER).body["information"] == []
    assert (inform(OWNER).status, get(READER).body["information"]) == (201, ["storage"])


def test_no_name_is_that_of_another_item() -> None:
    before = get(READER).body
    for number, name in enumerate([*NAMES, *ODD]):
        assert inform(OWNER, name, {"number": number}).status == 201
    assert get(READER).body == before | {"information": sorted([*NAMES, *ODD])}
    for number, name in enumerate([*NAMES, *ODD]):
        assert information(READER, name).body == {"name": name, "data": {"number": number}}
    for name in (*NAMES, *ODD):
        assert forget(OWNER, name).status == 204
    assert get(READER).body == before


def test_numbers_keep_every_digit() -> None:
    body = '{"data": {"exact": 0.1000000000000000000000000000000000001, "big": 123456789012345678901234567890}}'
    assert OWNER.call("PUT /documents/{document}/information/{name}", None, body, document="d", name="n").status == 201
    found = information(READER, "n").body["data"]
    assert found == {"exact": Decimal("0.1000000000000000000000000000000000001"), "big": 123456789012345678901234567890}


@pytest.mark.parametrize(
    "data", [{}, {"a": "x" * 99_992}, {"": None, "b": [True, [], {}]}, {"text": "\u0000\n\U0001f600"}]
)
def test_any_object_of_up_to_100000_bytes(data: Any) -> None:
    assert inform(OWNER, data=data).status == 201
    assert information(READER).body["data"] == data


def deep(levels: int) -> Any:
    return {"a": deep(levels - 1)} if levels else 1


@pytest.mark.parametrize("wrong", [5, "x", [], [{}], {"a": "x" * 99_993}, {"a": "\ud800"}, deep(17)])
def test_what_is_no_such_object_is_named_and_nothing_is_stored(wrong: Any, table: Table) -> None:
    before = all_items(table)
    answer = inform(OWNER, data=wrong)
    assert (answer.status, answer.fields) == (400, ["data"])
    assert all_items(table) == before


@pytest.mark.parametrize("body", ["{}", '{"data": null}', '{"data": {}, "name": "x"}', "{", "[]"])
def test_a_body_that_is_no_request_is_400(body: str) -> None:
    answer = OWNER.call("PUT /documents/{document}/information/{name}", None, body, document="d", name="n")
    assert answer.status == 400


@pytest.mark.parametrize("name", ["a\nb", "\x00", "x" * 65, "€" * 31])
def test_a_name_that_nothing_can_be_stored_under_is_400(name: str) -> None:
    answers = [inform(OWNER, name), information(OWNER, name), forget(OWNER, name)]
    assert [(answer.status, answer.fields) for answer in answers] == [(400, ["name"])] * 3


def test_one_name_more_than_a_document_has_is_refused() -> None:
    for number in range(MAX_INFORMATION):
        assert inform(OWNER, f"n{number}").status == 201
    refused = inform(OWNER, "more")
    assert (refused.status, refused.fields) == (400, ["name"])
    assert information(OWNER, "more").status == 404
    assert inform(OWNER, "n0", {"other": 1}).status == 200
    forget(OWNER, "n1")
    assert inform(OWNER, "more").status == 201
