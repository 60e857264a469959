"""Conditional requests: what has versions is read only if it changed, and changed only if it did not."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from functions.routes import ROUTES
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

AMY = Client("amy", ("ingest", "import", "write", "admin"))
Headers = dict[str, str]


def call(route: str, ids: Headers, headers: Headers | None = None, body: Any = None) -> Answer:
    return replace(AMY, headers=headers or {}).call(route, None, body, **ids)


@dataclass(frozen=True)
class Versioned:
    """A route that stores versions, the route that reads one, and two bodies that say different things."""

    write: str
    read: str
    ids: Headers
    one: dict[str, Any]
    other: dict[str, Any]
    version: Callable[[Any], int]
    of_read: Headers

    def store(self, body: dict[str, Any], **headers: str) -> Answer:
        return call(self.write, self.ids, {name.replace("_", "-"): text for name, text in headers.items()}, body)


def _own(body: Any) -> int:
    return int(body["version"])


def _in_details(body: Any) -> int:
    return int(body["details"]["version"])


_E, _D, _I, _B = {"equipment": "e"}, {"document": "d"}, {"invoice": "i"}, {"bill": "b"}
_AUDIT = {"auditor": "amy", "result": "passed"}
VERSIONED = {
    case.write: case
    for case in (
        Versioned(
            "POST /equipment/{equipment}/audits", "GET /equipment/{equipment}/audits/latest", _E,
            _AUDIT, _AUDIT | {"result": "failed"}, _own, _E,
        ),
        Versioned(
            "POST /documents/{document}/versions", "GET /documents/{document}/versions/{version}", _D,
            {"content": "a"}, {"content": "b"}, _own, _D | {"version": "1"},
        ),
        Versioned("PUT /invoices/{invoice}", "GET /invoices/{invoice}", _I, {}, {"note": "paid"}, _in_details, _I),
        Versioned("PUT /bills/{bill}", "GET /bills/{bill}", _B, {"amount": 1}, {"amount": 2}, _in_details, _B),
    )
}  # fmt: skip
TAGGED = {route: case for route, case in VERSIONED.items() if case.version is _own}
each = pytest.mark.parametrize("case", VERSIONED.values(), ids=VERSIONED)
each_tagged = pytest.mark.parametrize("case", TAGGED.values(), ids=TAGGED)


@pytest.fixture(autouse=True)
def document(handlers: None) -> None:
    call("PUT /documents/{document}/metadata", _D, body={"title": "T"})


@each
def test_what_is_at_the_version_is_changed(case: Versioned) -> None:
    assert case.version(case.store(case.one, if_none_match="*").body) == 1
    assert case.version(case.store(case.other, if_match='"1"').body) == 2
    assert case.version(case.store(case.one, if_match="*").body) == 3


@each
@pytest.mark.parametrize(
    ("condition", "stored"),
    [({"if_match": '"1"'}, 0), ({"if_match": "*"}, 0), ({"if_match": '"2"'}, 1), ({"if_none_match": "*"}, 1)],
)
def test_what_is_at_another_one_is_not(case: Versioned, condition: Headers, stored: int, table: StreamedTable) -> None:
    for _ in range(stored):
        case.store(case.one)
    before = table.all_items()
    answer = case.store(case.other, **condition)
    assert (answer.status, answer.body["status"], answer.body["current_version"]) == (412, 412, stored)
    assert (answer.headers["Content-Type"], answer.body["title"]) == (
        "application/problem+json",
        "Precondition Failed",
    )
    assert table.all_items() == before


@each
@pytest.mark.parametrize("condition", [{"if_none_match": "*"}, {"if_match": '"1"'}])
def test_what_is_sent_again_is_answered_again(case: Versioned, condition: Headers, table: StreamedTable) -> None:
    """The first answer may have been lost. RFC 9110, 13.1.1: what has been applied already may succeed."""
    if "if_match" in condition:
        case.store(case.one)
    first = case.store(case.other, **condition)
    before = table.all_items()
    again = case.store(case.other, **condition)
    assert (again.status, again.body) == (200, first.body)
    assert table.all_items() == before


@each
def test_of_two_at_once_the_later_is_told_the_version(
    case: Versioned, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one comes between what the first one reads and what it writes."""
    case.store(case.one)
    for name in ("write", "transact"):
        real: Callable[[Any], None] = getattr(table, name)

        def late(what: Any, real: Callable[[Any], None] = real) -> None:
            monkeypatch.undo()
            monkeypatch.setattr("functions.web.runtime.table", lambda: table)
            assert case.store(case.other).status in (200, 201)
            real(what)

        monkeypatch.setattr(table, name, late)
    third = {name: "amy" if name == "auditor" else 3 if name == "amount" else "third" for name in case.other}
    answer = case.store(third, if_match='"1"')
    assert (answer.status, answer.body["current_version"]) == (412, 2)


@each
@pytest.mark.parametrize("header", ["if_match", "if_none_match"])
@pytest.mark.parametrize(
    "text", ["", "1", '"0"', '"01"', '"-1"', '"x"', 'W/"1"', '"1", "2"', '"1","2"', "*, *", '"1', '"٣"', '"1234567890"']
)
def test_what_is_no_single_strong_tag_is_refused_by_name(case: Versioned, header: str, text: str, table: Table) -> None:
    answer = case.store(case.one, **{header: text})
    assert (answer.status, [name.lower() for name in answer.fields]) == (400, [header.replace("_", "-")])
    assert answer.cost == (0, 0, 0)


@each
def test_two_conditions_at_once_are_refused(case: Versioned) -> None:
    answer = case.store(case.one, if_match="*", if_none_match="*")
    assert (answer.status, answer.fields) == (400, ["If-None-Match"])


@each
def test_a_version_is_none_that_must_not_be_there(case: Versioned) -> None:
    """A write with If-None-Match and a version would say: unless it is this one. Nobody needs that."""
    assert case.store(case.one, if_none_match='"1"').status == 400


@each_tagged
def test_what_is_read_has_its_version_as_tag_and_is_sent_once(case: Versioned) -> None:
    stored = case.store(case.one)
    read = call(case.read, case.of_read)
    assert (read.status, read.headers["ETag"], stored.headers["ETag"]) == (200, '"1"', '"1"')
    for known in ('"1"', "*"):
        again = call(case.read, case.of_read, {"if-none-match": known})
        assert (again.status, again.body, again.headers["ETag"]) == (304, None, '"1"')
        assert again.cost == read.cost
    other = call(case.read, case.of_read, {"if-none-match": '"2"'})
    assert (other.status, other.body) == (200, read.body)


@each_tagged
@pytest.mark.parametrize("text", ["", 'W/"1"', '"1", "2"', "1"])
def test_a_read_refuses_other_tags_by_name(case: Versioned, text: str) -> None:
    case.store(case.one)
    answer = call(case.read, case.of_read, {"if-none-match": text})
    assert (answer.status, [name.lower() for name in answer.fields]) == (400, ["if-none-match"])


@each_tagged
def test_nothing_is_404_whatever_is_known(case: Versioned) -> None:
    assert call(case.read, case.of_read, {"if-none-match": "*"}).status == 404


def test_who_may_not_read_a_document_is_told_nothing_by_a_condition() -> None:
    case = VERSIONED["POST /documents/{document}/versions"]
    case.store(case.one)
    stranger = Client("stan", headers={"if-none-match": '"1"'})
    assert stranger.call(case.read, None, None, **case.of_read).status == 404


@pytest.mark.parametrize("case", [VERSIONED["PUT /invoices/{invoice}"], VERSIONED["PUT /bills/{bill}"]])
def test_what_changes_without_its_version_has_no_tag(case: Versioned) -> None:
    """The bills of an invoice, and the numbers of both."""
    assert "ETag" not in case.store(case.one).headers
    assert "ETag" not in call(case.read, case.of_read, {"if-none-match": "*"}).headers


WRITES = sorted({route for routes in ROUTES.values() for route in routes if not route.startswith("GET ")})


@pytest.mark.parametrize("route", [route for route in WRITES if route not in VERSIONED])
@pytest.mark.parametrize("header", ["If-Match", "If-None-Match"])
def test_a_write_that_has_no_versions_overlooks_no_condition(route: str, header: str, table: StreamedTable) -> None:
    """Who sends one relies on it."""
    before = table.all_items()
    ids = {name.strip("{}"): "x" for name in route.split("/") if name.startswith("{")}
    answer = call(route, ids, {header.lower(): "*"}, {})
    assert (answer.status, answer.fields) == (400, [header])
    assert table.all_items() == before


@each
def test_a_condition_costs_no_more(case: Versioned) -> None:
    """With a version: no read of revisions; of others a read in place of the write that is refused."""
    case.store(case.one)
    plain, conditional = case.store(case.other).cost, case.store(case.one, if_match='"2"').cost
    assert conditional[0] < plain[0] if case.version is _own else conditional[0] <= plain[0]
