"""OpenSearch as the index of a stage: generations, what is older, what it refuses, and how requests are signed."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.httpsession import URLLib3Session

from edgewise import Key
from functions.search import analysis, opensearch, signing
from functions.search import opensearch_requests as requests
from functions.search.engine import FORM, Address
from functions.search.opensearch import OpenSearch, RefusedByEngineError
from functions.search.opensearch_requests import Request, text
from functions.search.query import Search, clauses
from functions.searchable import Contents
from tests.search.fake_opensearch import FakeOpenSearch


@pytest.fixture
def fake() -> FakeOpenSearch:
    return FakeOpenSearch()


@pytest.fixture
def index(fake: FakeOpenSearch) -> OpenSearch:
    return OpenSearch(fake.send)


def note(name: str) -> Address:
    return Address("note", Key(name, "x"))


def index_of(generation: str) -> str:
    return f"edgewise-{FORM}-{generation}"


def write(
    to: OpenSearch, name: str | None, at: int, begins: str | None = None, ends: str | None = None, gone: bool = False
) -> None:
    to.building()
    changes = {note(name): None if gone else Contents((name,), name)} if name else {}
    to.apply(changes, begins, ends, at)


def found(by: OpenSearch, word: str) -> int:
    return by.search(Search(sub="amy", clauses=clauses(word, analysis.words))).total


def test_what_was_read_earlier_replaces_nothing_that_was_read_later(index: OpenSearch) -> None:
    write(index, "fox", at=5)
    write(index, "fox", at=4, gone=True)
    assert found(index, "fox") == 1
    write(index, "fox", at=6, gone=True)
    write(index, "fox", at=5)
    assert found(index, "fox") == 0, "it does not come back"


def test_an_index_is_made_once_and_remembers_deletions(index: OpenSearch, fake: FakeOpenSearch) -> None:
    for at in (1, 2):
        write(index, "fox", at)
    (made,) = [each for each in fake.sent if each.method == "PUT"]
    assert json.loads(text(made) or b"")["settings"]["index"]["gc_deletes"] == "36h"


def test_a_generation_is_filled_beside_the_one_that_answers_and_then_replaces_it(
    index: OpenSearch, fake: FakeOpenSearch
) -> None:
    write(index, "fox", at=1)
    write(index, None, at=2, begins="second")
    assert index.building() == "second"
    write(index, "hen", at=3)
    assert (found(index, "fox"), found(index, "hen")) == (1, 1)
    write(index, "owl", at=4, ends="second")
    assert index.building() is None
    assert [found(index, each) for each in ("fox", "hen", "owl")] == [0, 1, 1]
    assert fake.indices.keys() == {index_of("second")}


def test_a_second_rebuild_takes_the_place_of_one_that_is_not_finished(index: OpenSearch, fake: FakeOpenSearch) -> None:
    write(index, "fox", at=1, begins="second")
    write(index, "hen", at=2, begins="third")
    assert fake.indices.keys() == {index_of("first"), index_of("third")}
    write(index, None, at=3, ends="second")
    assert found(index, "fox") == 1
    write(index, None, at=3, ends="third")
    assert (found(index, "fox"), found(index, "hen")) == (0, 1)


def test_a_rebuild_that_is_delivered_again_begins_once(index: OpenSearch, fake: FakeOpenSearch) -> None:
    for _ in range(2):
        write(index, "fox", at=1, begins="second")
    assert fake.indices[index_of("second")].documents
    # One that died after it had made the index, and before it said so.
    fake.aliases.pop("edgewise-building")
    write(index, "hen", at=2, begins="second")
    write(index, None, at=3, ends="second")
    assert (found(index, "fox"), found(index, "hen")) == (1, 1)


def test_an_index_of_another_form_answers_until_this_release_has_filled_one(
    index: OpenSearch, fake: FakeOpenSearch
) -> None:
    fake.send(requests.created("edgewise-first"))
    fake.send(requests.serves("edgewise-first", ()))
    fake.send(requests.written(["edgewise-first"], {note("fox"): Contents(("fox",), "fox")}, 1))
    write(index, "hen", at=2)
    assert index.outdated() == "edgewise-first"
    assert (found(index, "fox"), found(index, "hen")) == (1, 0), "it can't be written to"
    write(index, "fox", at=3, begins="second")
    assert index.building() == "second"
    assert index.outdated() == "edgewise-first"
    assert found(index, "hen") == 0
    write(index, "hen", at=4, ends="second")
    index.building()
    assert index.outdated() is None
    assert (found(index, "fox"), found(index, "hen")) == (1, 1)
    assert fake.indices.keys() == {index_of("second")}


def test_what_another_release_was_filling_is_given_up(index: OpenSearch, fake: FakeOpenSearch) -> None:
    write(index, "fox", at=1)
    fake.send(requests.created("edgewise-second"))
    fake.send(requests.begins("edgewise-second", ()))
    assert index.building() is None
    assert fake.indices.keys() == {index_of("first")}


def test_a_rebuild_that_is_delivered_again_once_it_serves_changes_nothing(index: OpenSearch) -> None:
    write(index, "fox", at=1, begins="second", ends="second")
    write(index, "hen", at=2, begins="second", ends="second")
    assert (found(index, "fox"), found(index, "hen")) == (1, 1)


def test_one_thing_that_is_too_large_for_any_request_is_set_aside(
    index: OpenSearch, fake: FakeOpenSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send(request: Request) -> tuple[int, bytes]:
        return (413, b"") if len(text(request) or b"") > 5_000 else fake.send(request)

    monkeypatch.setattr(opensearch, "_MOST_BYTES", 2_000)
    small = OpenSearch(send)
    small.building()
    things = {note(str(n)): Contents((str(n),), "fox", "\x00" * (1_000 if n == 2 else 100)) for n in range(5)}
    assert small.apply(things, None, None, 1) == {note("2")}
    assert found(small, "fox") == 4


def test_much_is_written_in_several_requests(
    index: OpenSearch, fake: FakeOpenSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opensearch, "_MOST_BYTES", 1_000)
    index.building()
    index.apply({note(str(n)): Contents((str(n),), "", "fox " * 100) for n in range(5)}, None, None, 1)
    bulks = [each for each in fake.sent if each.path == "/_bulk"]
    assert [len(each.body or ()) for each in bulks] == [2, 2, 2, 2, 2]
    assert found(index, "fox") == 5


def test_an_index_that_is_down_is_said_to_be_and_may_pass(index: OpenSearch, fake: FakeOpenSearch) -> None:
    write(index, "fox", at=1)
    fake.down = True
    for ask in (index.building, lambda: found(index, "fox"), lambda: index.apply({}, "second", None, 2)):
        with pytest.raises(RefusedByEngineError, match="503"):
            ask()


def test_a_document_that_is_refused_is_said_to_be(index: OpenSearch, fake: FakeOpenSearch) -> None:
    index.building()

    def refuse(request: Request) -> tuple[int, bytes]:
        status, told = fake.send(request)
        return status, told.replace(b'"status": 201', b'"status": 429') if request.path == "/_bulk" else told

    with pytest.raises(RefusedByEngineError, match="429"):
        write(OpenSearch(refuse), "fox", at=1)


def test_everything_is_read_page_by_page(index: OpenSearch) -> None:
    index.building()
    index.apply({note(f"n{n:04}"): Contents((str(n),)) for n in range(2_500)}, None, None, 1)
    assert len(dict(index.everything())) == 2_500


def test_requests_are_signed_for_the_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ACCESS_KEY_ID": "A", "SECRET_ACCESS_KEY": "s", "DEFAULT_REGION": "eu-west-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    sent: list[Any] = []

    def send(_: URLLib3Session, request: Any) -> SimpleNamespace:
        sent.append(request)
        return SimpleNamespace(status_code=200, content=b"{}")

    monkeypatch.setattr(URLLib3Session, "send", send)
    assert signing.sender("https://index.example.com")(Request("POST", "/_bulk", [{"a": 1}, {"b": 2}])) == (200, b"{}")
    (request,) = sent
    assert (request.method, request.url) == ("POST", "https://index.example.com/_bulk")
    assert request.body == b'{"a":1}\n{"b":2}\n'
    assert request.headers["Content-Type"] == "application/x-ndjson"
    assert "/eu-west-1/es/aws4_request" in request.headers["Authorization"]
