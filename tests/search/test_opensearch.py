"""OpenSearch as the index of a stage: generations, what is older, what it refuses, and how requests are signed."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.httpsession import URLLib3Session

from edgewise import Key
from functions.search import analysis, opensearch, signing
from functions.search.engine import Address
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
    assert fake.indices.keys() == {"edgewise-second"}


def test_a_second_rebuild_takes_the_place_of_one_that_is_not_finished(index: OpenSearch, fake: FakeOpenSearch) -> None:
    write(index, "fox", at=1, begins="second")
    write(index, "hen", at=2, begins="third")
    assert fake.indices.keys() == {"edgewise-first", "edgewise-third"}
    write(index, None, at=3, ends="second")
    assert found(index, "fox") == 1
    write(index, None, at=3, ends="third")
    assert (found(index, "fox"), found(index, "hen")) == (0, 1)


def test_a_rebuild_that_is_delivered_again_begins_once(index: OpenSearch, fake: FakeOpenSearch) -> None:
    for _ in range(2):
        write(index, "fox", at=1, begins="second")
    assert fake.indices["edgewise-second"].documents
    # One that died after it had made the index, and before it said so.
    fake.aliases.pop("edgewise-building")
    write(index, "hen", at=2, begins="second")
    write(index, None, at=3, ends="second")
    assert (found(index, "fox"), found(index, "hen")) == (1, 1)


def test_much_is_written_in_several_requests(
    index: OpenSearch, fake: FakeOpenSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opensearch, "_MOST_BYTES", 1_000)
    index.building()
    index.apply({note(str(n)): Contents((str(n),), "", "fox " * 100) for n in range(5)}, None, None, 1)
    bulks = [each for each in fake.sent if each.path == "/_bulk"]
    assert [len(each.body or ()) for each in bulks] == [4, 4, 2]
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
