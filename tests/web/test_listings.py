"""`limit` counts what was asked for, on every route that lists something: no summaries, blocks or emptied edges."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.writes import Delete
from functions.systems.api.routes import OPENAPI
from tests.support.http import Answer, Client
from tests.support.streams import StreamedMemory
from tests.web.listings import LISTINGS, Listing

pytestmark = pytest.mark.usefixtures("handlers")

ENTRIES = 7
READER = Client("amy", ("admin",))


def _name(of: Listing) -> str:
    return " ".join([of.route, *(f"{name}={value}" for name, value in of.query.items())])


each = pytest.mark.parametrize("listing", LISTINGS, ids=_name)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> StreamedMemory:
    table = StreamedMemory()
    monkeypatch.setattr("functions.web.runtime.table", lambda: table)
    return table


# What search finds is not in any list: tests/systems/search.
OF_SEARCH = {"GET /search"}
# Their pages are those of the operators' commands: tests/systems/operations and tests/systems/quarantine.
OF_OPERATORS = {"GET /aggregates/incomplete", "GET /quarantine", "GET /table/index", "GET /table/partition"}
# These walk through lists, or go on with a watch, and take no limit: tests/systems/operations, tests/systems/proof.
WALKS = {"GET /exactness", "GET /proof", "GET /recent"}


def test_every_route_with_pages_is_among_them() -> None:
    """A new one needs a listing in tests/web/listings.py."""
    document = json.loads(OPENAPI.read_text())
    paged = {
        f"GET {path}"
        for path, item in document["paths"].items()
        if "cursor" in {parameter["name"] for parameter in item.get("get", {}).get("parameters", ())}
    }
    assert {listing.route for listing in LISTINGS} == paged - OF_OPERATORS - OF_SEARCH - WALKS


def store(table: StreamedMemory, listing: Listing, emptied: set[int], drain: Callable[[], None]) -> int:
    """Store all entries, then take some away again; answers how many must be listed."""
    table.items.clear()
    table.put_many(listing.before)
    entries = {n: listing.items(n) for n in range(ENTRIES)}
    table.put_many([item for items in entries.values() for item in items])
    drain()
    for item in [item for n in emptied for item in entries[n]]:
        table.write(Delete(key_of(item)))
    drain()
    return listing.count([n for n in range(ENTRIES) if n not in emptied])


def pages(listing: Listing, limit: int) -> list[Answer]:
    found: list[Answer] = []
    cursor: dict[str, str] = {}
    while True:
        answer = READER.call(listing.route, {**listing.query, "limit": f"{limit}", **cursor}, **listing.ids)
        assert answer.status == 200, answer.body
        found.append(answer)
        if answer.body["cursor"] is None:
            return found
        cursor = {"cursor": answer.body["cursor"]}


@each
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(emptied=st.sets(st.integers(0, ENTRIES - 1), max_size=ENTRIES - 1))
def test_pages_of_any_limit_are_the_list_and_each_but_the_last_is_full(
    listing: Listing, emptied: set[int], table: StreamedMemory, drain: Callable[[], None]
) -> None:
    expected = store(table, listing, emptied, drain)
    (only,) = (listing.told(page.body) for page in pages(listing, 1000))
    assert len(only) == expected
    for limit in range(1, expected + 3):
        found = [listing.told(page.body) for page in pages(listing, limit)]
        assert _in_kind(listing, found) == _in_kind(listing, [only])
        assert {len(page) for page in found[:-1]} <= {limit}
        assert len(found[-1]) <= limit


def _counted(ask: Callable[[Any], Any], asked: list[Any]) -> Callable[[Any], Any]:
    def count(what: Any) -> Any:
        asked.append(what)
        return ask(what)

    return count


def _in_kind(listing: Listing, found: Sequence[Sequence[Any]]) -> list[str]:
    """All entries, in order where they are of one kind: a page names those of each kind together."""
    entries = [json.dumps(entry, default=str) for page in found for entry in page]
    return entries if len(listing.lists) == 1 else sorted(entries)


@pytest.mark.parametrize("listing", [of for of in LISTINGS if of.requests], ids=_name)
def test_a_page_is_one_request_where_nothing_was_emptied(
    listing: Listing, table: StreamedMemory, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One for each shard where there are several, one more where permissions or shards are looked up first."""
    store(table, listing, set(), drain)
    pages(listing, ENTRIES)  # what functions remember is known from now on
    asked: list[Any] = []
    for name in ("query", "get"):
        monkeypatch.setattr(table, name, _counted(getattr(table, name), asked))
    for limit in (1, 3, ENTRIES, 100):
        asked.clear()
        found = pages(listing, limit)
        assert len(asked) == len(found) * (listing.requests or 0)
