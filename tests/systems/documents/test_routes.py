"""Documents: metadata, versions, what one request shows, bad input."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from tests.support.clocks import NOON
from tests.support.documents import (
    BODIES,
    METADATA,
    OWNER,
    READER,
    STRANGER,
    WRITER,
    all_items,
    get,
    post,
    put,
    version,
    versions,
)
from tests.support.http import Client

pytestmark = pytest.mark.usefixtures("handlers", "clock")


@pytest.fixture
def document() -> None:
    """Olga's, which Will may write and Rita may read; one version."""
    put(OWNER, "metadata")
    put(OWNER, "permissions")
    post(OWNER)


class TestMetadata:
    def test_the_first_creates_the_document_and_owns_it(self) -> None:
        whole = {"title": "T", "description": "two\nlines", "attributes": {"language": "en"}}
        created = put(OWNER, "metadata", whole)
        assert (created.status, created.body) == (201, whole)
        assert get(OWNER).body == {
            "document": "d",
            "summary": {"versions": 0, "authors": {}, "unlisted": 0},
            "metadata": whole,
            "permissions": {"owner": "olga", "readers": [], "writers": []},
            "information": [],
            "newest": None,
        }

    def test_what_is_stored_later_replaces_it_and_changes_no_permission(self, document: None) -> None:
        put(OWNER, "metadata", METADATA | {"description": "x", "attributes": {"a": "b"}})
        answer = put(WRITER, "metadata", {"title": "Other"})
        assert (answer.status, answer.body) == (200, {"title": "Other", "description": None, "attributes": {}})
        found = get(OWNER).body
        assert found["metadata"] == answer.body
        assert found["permissions"] == {"owner": "olga", "readers": ["rita"], "writers": ["will"]}


class TestVersions:
    def test_the_newest_stands_with_the_document_in_one_request(
        self, document: None, drain: Callable[[], None]
    ) -> None:
        answer = post(WRITER, content="second\n", note="better")
        newest = {"version": 2, "at": NOON, "author": "will", "content": "second\n", "note": "better"}
        assert (answer.status, answer.body) == (201, newest)
        drain()
        found = get(READER)
        assert (found.body["newest"], found.cost[0]) == (newest, 1)
        assert found.body["summary"] == {"versions": 2, "authors": {"olga": 1, "will": 1}, "unlisted": 0}

    def test_twelve_stand_in_order_without_the_copy_of_the_newest(self, document: None) -> None:
        for number in range(2, 13):
            post(OWNER, content=f"c{number}")
        numbers = [each["version"] for each in versions(READER).body["versions"]]
        assert numbers == list(range(1, 13))
        assert [each["version"] for each in versions(READER, order="desc").body["versions"]] == numbers[::-1]
        assert version(READER, "10").body["content"] == "c10"

    def test_pages_together_are_the_history(self, document: None) -> None:
        post(OWNER), post(OWNER)
        first = versions(READER, limit="2")
        second = versions(READER, limit="2", cursor=first.body["cursor"])
        assert [[v["version"] for v in page.body["versions"]] for page in (first, second)] == [[1, 2], [3]]
        assert second.body["cursor"] is None
        assert versions(READER, order="desc", cursor=first.body["cursor"]).fields == ["cursor"]

    def test_of_two_authors_at_once_the_later_is_told_the_current_version(self, document: None) -> None:
        first = {"if-match": '"1"'}
        mine = post(replace(OWNER, headers=first), content="mine")
        yours = post(replace(WRITER, headers=first), content="yours")
        assert (mine.status, yours.status, yours.body["current_version"]) == (201, 412, 2)
        assert [v["content"] for v in versions(READER).body["versions"]] == ["draft", "mine"]

    def test_who_may_not_write_is_told_no_version(self, document: None) -> None:
        for client, status in ((READER, 403), (STRANGER, 404)):
            answer = post(replace(client, headers={"if-match": '"7"'}))
            assert (answer.status, "current_version" in answer.body) == (status, False)

    def test_a_version_that_is_not_there(self, document: None) -> None:
        answer = version(READER, "2")
        assert (answer.status, answer.body["detail"]) == (404, "there is no version '2'")

    @pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "1000000000", "newest"])
    def test_a_version_is_a_whole_number(self, document: None, number: str) -> None:
        assert (version(READER, number).status, version(READER, number).fields) == (400, ["version"])

    @pytest.mark.parametrize("content", ["", "x" * 200_000, "€" * 66_666, "\t\r\n", '\u2028 \U0001f600 \\"'])
    def test_any_text_up_to_200000_bytes_survives(self, document: None, content: str) -> None:
        assert post(OWNER, content=content).status == 201
        assert (get(READER).body["newest"]["content"], version(READER, "2").body["content"]) == (content, content)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("metadata", {"title": ""}, "title"),
    ("metadata", {"title": "x" * 201}, "title"),
    ("metadata", {"title": "a\nb"}, "title"),
    ("metadata", {"title": None}, "title"),
    ("metadata", {"titel": "x"}, "titel"),
    ("metadata", {"description": "x" * 2001}, "description"),
    ("metadata", {"description": "\x00"}, "description"),
    ("metadata", {"attributes": None}, "attributes"),
    ("metadata", {"attributes": ["a"]}, "attributes"),
    ("metadata", {"attributes": {"a": 1}}, "attributes.a"),
    ("metadata", {"attributes": {"a": "x" * 1001}}, "attributes.a"),
    ("metadata", {"attributes": {"": "x"}}, "attributes."),
    ("metadata", {"attributes": {"a\n": "x"}}, "attributes.a\n"),
    ("metadata", {"attributes": {str(number): "x" for number in range(51)}}, "attributes"),
    ("permissions", {"readers": "rita"}, "readers"),
    ("permissions", {"readers": None}, "readers"),
    ("permissions", {"readers": [""]}, "readers.0"),
    ("permissions", {"writers": ["a", "b\x00"]}, "writers.1"),
    ("permissions", {"writers": [5]}, "writers.0"),
    ("permissions", {"writers": ["a"] * 101}, "writers"),
    ("permissions", {"owner": "stan"}, "owner"),
    ("versions", {"content": None}, "content"),
    ("versions", {"content": "x" * 200_001}, "content"),
    ("versions", {"content": "€" * 66_667}, "content"),
    ("versions", {"content": "\x00"}, "content"),
    ("versions", {"content": "\ud800"}, "content"),
    ("versions", {"note": "x" * 1001}, "note"),
    ("versions", {"note": "\x1b"}, "note"),
    ("versions", {"author": "stan"}, "author"),
    ("versions", {"expected_version": 1}, "expected_version"),
]


@pytest.mark.parametrize(("what", "wrong", "field"), WRONG)
def test_a_wrong_field_is_named_and_nothing_is_stored(
    document: None, what: str, wrong: dict[str, Any], field: str, table: Table
) -> None:
    before = all_items(table)
    answer = post(OWNER, **wrong) if what == "versions" else put(OWNER, what, BODIES[what] | wrong)
    assert (answer.status, answer.fields) == (400, [field])
    assert all_items(table) == before


@pytest.mark.parametrize(("what", "fields"), [("metadata", ["title"]), ("permissions", ["readers", "writers"])])
def test_what_is_left_out_is_named(document: None, what: str, fields: list[str]) -> None:
    assert OWNER.call(f"PUT /documents/{{document}}/{what}", None, {}, document="d").fields == fields


@pytest.mark.parametrize(
    ("body", "field"),
    [("{", "body"), ("[]", "body"), ('{"content":NaN}', "content"), ('{"content":"a","note":-Infinity}', "note")],
)
def test_a_body_that_is_no_request_is_400(document: None, body: str, field: str) -> None:
    answer = OWNER.call("POST /documents/{document}/versions", None, body, document="d")
    assert (answer.status, answer.fields) == (400, [field])


@pytest.mark.parametrize("name", ["a\nb", "\x00", "x" * 201])
def test_an_id_that_nothing_can_be_stored_under_is_400(name: str) -> None:
    answers = [get(OWNER, name), versions(OWNER, name), post(OWNER, name), put(OWNER, "metadata", name=name)]
    assert [(answer.status, answer.fields) for answer in answers] == [(400, ["document"])] * 4


@pytest.mark.parametrize("odd", ["a/b", "a#b", "50%", "日本 #1", "v_0", "..", "\U0001f600", "x" * 200])
def test_documents_and_users_of_any_name(odd: str) -> None:
    owner = Client(odd)
    assert put(owner, "metadata", name=odd).status == 201
    assert put(owner, "permissions", {"readers": [odd], "writers": []}, odd).status == 200
    assert post(owner, odd).body["author"] == odd
    assert get(owner, odd).body["newest"]["version"] == 1
    assert get(STRANGER, odd).status == 404
