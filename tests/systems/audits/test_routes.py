"""Audits: versions, the newest of each part, history, two auditors at once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from edgewise.aggregates.continuations import declaration, readers
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from tests.support.clocks import NOON
from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers", "clock")

AUDITOR, GUEST = Client("amy", ("write", "import")), Client("bob")
PASSED = {"auditor": "amy", "result": "passed"}


def post(equipment: str = "Equipment_1", **body: Any) -> Answer:
    return AUDITOR.call("POST /equipment/{equipment}/audits", None, PASSED | body, equipment=equipment)


def post_if(condition: dict[str, str], **body: Any) -> Answer:
    """The same on a condition."""
    route, conditional = "POST /equipment/{equipment}/audits", replace(AUDITOR, headers=condition)
    return conditional.call(route, None, PASSED | body, equipment="Equipment_1")


def at(version: int) -> dict[str, str]:
    """The condition that the newest audit is this one; 0: that there is none."""
    return {"if-match": f'"{version}"'} if version else {"if-none-match": "*"}


def latest(equipment: str = "Equipment_1", **query: str) -> Answer:
    return GUEST.call("GET /equipment/{equipment}/audits/latest", query, equipment=equipment)


def history(equipment: str = "Equipment_1", **query: str) -> Answer:
    return GUEST.call("GET /equipment/{equipment}/audits", query, equipment=equipment)


def equipment(name: str = "Equipment_1", **query: str) -> Answer:
    return GUEST.call("GET /equipment/{equipment}", query, equipment=name)


def versions(answer: Answer) -> list[int]:
    return [audit["version"] for audit in answer.body["audits"]]


def test_an_audit_is_answered_as_it_is_stored_twice(table: Table) -> None:
    answer = post(notes="all well\n", part="engine")
    audit = {"version": 1, "at": NOON, "auditor": "amy", "result": "passed", "part": "engine", "notes": "all well\n"}
    assert (answer.status, answer.body) == (201, audit)
    newest = table.get(Key("EQUIPMENT#Equipment_1", "v0_Audit#engine"))
    first = table.get(Key("EQUIPMENT#Equipment_1", "Audit#engine#v000000001"))
    assert newest is not None
    assert first is not None
    assert {**newest, "SK": None, "Type": None} == {**first, "SK": None, "Type": None}


def test_twelve_versions_stand_in_order_and_the_newest_is_the_last() -> None:
    assert [post(result=f"r{number}").body["version"] for number in range(1, 13)] == list(range(1, 13))
    assert versions(history()) == list(range(1, 13))
    assert versions(history(order="desc")) == list(range(12, 0, -1))
    assert (latest().body["version"], latest().body["result"]) == (12, "r12")


def test_pages_together_are_the_history() -> None:
    for _ in range(5):
        post()
    pages: list[list[int]] = []
    cursor = None
    while len(pages) < 10:
        answer = history(limit="2", order="desc", **({"cursor": cursor} if cursor else {}))
        pages.append(versions(answer))
        cursor = answer.body["cursor"]
        if cursor is None:
            break
    assert pages == [[5, 4], [3, 2], [1]]


def test_parts_have_versions_of_their_own() -> None:
    """Also where one part's name begins as another's, or as a key goes on."""
    parts = ["engine", "engine#1", "engine 2", "v000000001", "\U0010ffff"]
    for part in parts:
        post(part=part, result=f"of {part}")
        post(part=part, result=f"of {part}")
    post(result="whole")
    for part in parts:
        assert [a["result"] for a in history(part=part).body["audits"]] == [f"of {part}"] * 2
        assert (latest(part=part).body["part"], latest(part=part).body["version"]) == (part, 2)
    assert [a["result"] for a in history().body["audits"]] == ["whole"]
    assert (latest().body["part"], latest().body["version"]) == (None, 1)


class TestEquipment:
    def test_numbers_and_the_newest_of_each_part_in_one_request(self, drain: Callable[[], None]) -> None:
        post(result="passed")
        post(part="engine", result="failed")
        post(part="engine", result="passed")
        post(part="wing", result="failed")
        drain()
        answer = equipment()
        assert answer.body["summary"] == {"audits": 4, "results": {"passed": 2, "failed": 2}, "unlisted": 0}
        assert [(a["part"], a["version"], a["result"]) for a in answer.body["newest"]] == [
            (None, 1, "passed"),
            ("engine", 2, "passed"),
            ("wing", 1, "failed"),
        ]
        assert answer.cost[0] == 1

    def test_before_the_stream_is_absorbed_nothing_is_counted(self) -> None:
        post()
        assert equipment().body["summary"] == {"audits": 0, "results": {}, "unlisted": 0}

    def test_results_that_do_not_fit_into_one_item(
        self, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A second request reads sixteen further items; what would be in still further ones is counted."""
        monkeypatch.setattr(declaration, "ROOM", 550)
        for number in range(40):
            post(part=f"{number}", result=f"{number % 30}")
            drain()
        answer = equipment(limit="1")
        summary = answer.body["summary"]
        expected = {f"{number}": 2 if number < 10 else 1 for number in range(30)}
        assert summary["audits"] == 40
        assert len(summary["results"]) > 20
        assert summary["results"].items() <= expected.items()
        assert summary["unlisted"] == 40 - sum(summary["results"].values())
        assert answer.cost[0] == 2

    def test_results_that_no_answer_can_hold_are_counted(
        self, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(declaration, "ROOM", 550)
        monkeypatch.setattr(readers, "LISTED_BYTES", 100)
        for number in range(20):
            post(result=f"{number:050d}")
        drain()
        summary = equipment().body["summary"]
        assert (len(summary["results"]), summary["unlisted"]) == (1, 19)

    def test_pages_go_on_behind_the_summary(self, drain: Callable[[], None]) -> None:
        for part in "abc":
            post(part=part)
        drain()
        first = equipment(limit="2")
        rest = equipment(limit="3", cursor=first.body["cursor"])
        assert [[a["part"] for a in page.body["newest"]] for page in (first, rest)] == [["a", "b"], ["c"]]
        assert (first.body["summary"]["audits"], rest.body["summary"]) == (3, None)

    def test_nothing_is_404(self) -> None:
        answer = equipment("x")
        assert (answer.status, answer.body["detail"]) == (404, "there is no equipment 'x'")

    def test_long_results_are_told_apart(self, drain: Callable[[], None]) -> None:
        for end in "ab":
            post(result="x" * 199 + end)
        drain()
        results = equipment().body["summary"]["results"]
        assert [(len(name), name[:48], count) for name, count in results.items()] == [(64, "x" * 47 + "…", 1)] * 2


class TestTwoAuditorsAtOnce:
    def test_the_later_one_is_told_the_current_version_and_nothing_is_lost(self) -> None:
        post()
        mine, yours = post_if(at(1), auditor="amy"), post_if(at(1), auditor="bob")
        assert (mine.status, mine.body["version"], mine.headers["ETag"]) == (201, 2, '"2"')
        assert (yours.status, yours.body["title"]) == (412, "Precondition Failed")
        assert yours.body["current_version"] == 2
        assert yours.body["detail"] == (
            "the audit 'Equipment_1' is at version 2, so the request's condition does not hold"
        )
        assert yours.headers["Content-Type"] == "application/problem+json"
        assert [audit["auditor"] for audit in history().body["audits"]] == ["amy", "amy"]
        assert post_if(at(yours.body["current_version"]), auditor="bob").body["version"] == 3

    @pytest.mark.parametrize(("stored", "expected"), [(0, 1), (0, 999_999_998), (1, 0), (1, 2)])
    def test_another_version_than_expected(self, stored: int, expected: int) -> None:
        for _ in range(stored):
            post(part="engine")
        answer = post_if(at(expected), part="engine", result="another")
        assert (answer.status, answer.body["current_version"]) == (412, stored)
        assert versions(history(part="engine")) == list(range(1, stored + 1))

    def test_a_star_says_that_there_is_none_or_one(self) -> None:
        assert post_if({"if-match": "*"}).body["current_version"] == 0
        assert post_if({"if-none-match": "*"}).body["version"] == 1
        assert post_if({"if-match": "*"}).body["version"] == 2


WRONG: list[tuple[Any, str]] = [
    ({"auditor": None}, "auditor"),
    ({"auditor": ""}, "auditor"),
    ({"auditor": "x" * 201}, "auditor"),
    ({"auditor": "a\nb"}, "auditor"),
    ({"auditor": 5}, "auditor"),
    ({"result": ""}, "result"),
    ({"result": "\x7f"}, "result"),
    ({"result": ["passed"]}, "result"),
    ({"part": ""}, "part"),
    ({"part": "x" * 201}, "part"),
    ({"part": "\U0001f600" * 200 + "x"}, "part"),
    ({"part": "\x00"}, "part"),
    ({"notes": "x" * 10_001}, "notes"),
    ({"notes": "\x00"}, "notes"),
    ({"notes": "\ud800"}, "notes"),
    ({"notes": 1.5}, "notes"),
    ({"expected_version": 1}, "expected_version"),
    ({"version": 1}, "version"),
]


@pytest.mark.parametrize(("wrong", "field"), WRONG)
def test_a_wrong_field_is_named_and_nothing_is_stored(wrong: dict[str, Any], field: str, table: Table) -> None:
    answer = post(**wrong)
    assert (answer.status, answer.fields) == (400, [field])
    assert table.client.scan(TableName=table.name)["Count"] == 0


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("{}", ["auditor", "result"]),
        ("[]", ["body"]),
        ("{", ["body"]),
        ('{"auditor":"a","result":"b","notes":NaN}', ["notes"]),
        ('{"auditor":"a","result":"b","notes":Infinity}', ["notes"]),
    ],
)
def test_a_body_that_is_no_audit_is_400(body: str, fields: list[str]) -> None:
    answer = AUDITOR.call("POST /equipment/{equipment}/audits", None, body, equipment="e")
    assert (answer.status, answer.fields) == (400, fields)


@pytest.mark.parametrize("name", ["a\nb", "\x00", "x" * 201])
@pytest.mark.parametrize("route", ["", "/audits", "/audits/latest"])
def test_an_id_that_nothing_can_be_stored_under_is_400(name: str, route: str) -> None:
    answer = GUEST.call(f"GET /equipment/{{equipment}}{route}", equipment=name)
    assert (answer.status, answer.fields) == (400, ["equipment"])


@pytest.mark.parametrize(
    ("query", "field"),
    [({"part": ""}, "part"), ({"part": "\n"}, "part"), ({"order": "up"}, "order"), ({"limit": "0"}, "limit")],
)
def test_a_wrong_parameter_is_named(query: dict[str, str], field: str) -> None:
    assert (history(**query).status, history(**query).fields) == (400, [field])


def test_a_cursor_goes_on_in_its_own_list_only() -> None:
    for part in "ab":
        post(part=part)
        post(part=part)
    cursor = history(part="a", limit="1").body["cursor"]
    assert versions(history(part="a", cursor=cursor)) == [2]
    for other in ({"part": "b"}, {"part": "a", "order": "desc"}, {}):
        assert history(cursor=cursor, **other).fields == ["cursor"]


@pytest.mark.parametrize("odd", ["a/b", "a#b", "50%", "日本 #1", "v0_Audit", "..", "\U0001f600", "x" * 200])
def test_equipment_and_parts_of_any_name(odd: str) -> None:
    assert post(odd, part=odd).status == 201
    assert latest(odd, part=odd).body["part"] == odd
    assert [audit["part"] for audit in history(odd, part=odd).body["audits"]] == [odd]
    assert [audit["part"] for audit in equipment(odd).body["newest"]] == [odd]


def test_what_was_never_audited() -> None:
    assert (latest().status, latest().body["detail"]) == (404, "there is no audit 'Equipment_1'")
    assert latest(part="engine").body["detail"] == "there is no audit 'Equipment_1, engine'"
    assert history().body == {"audits": [], "cursor": None}


def test_only_applications_that_write_may_audit(table: Table) -> None:
    answer = GUEST.call("POST /equipment/{equipment}/audits", None, PASSED, equipment="e")
    assert answer.status == 403
    assert table.client.scan(TableName=table.name)["Count"] == 0


@pytest.mark.parametrize(
    ("caller", "auditor", "status"),
    [
        (Client("amy", ("write",)), "amy", 201),
        (Client("amy", ("write",)), "bob", 403),
        (Client("amy", ("write", "admin", "ingest")), "bob", 403),
        (Client("amy", ("write", "import")), "bob", 201),
        (Client("amy", ("import",)), "amy", 403),
    ],
)
def test_only_importers_name_another_auditor(caller: Client, auditor: str, status: int) -> None:
    body = {"auditor": auditor, "result": "passed"}
    answer = caller.call("POST /equipment/{equipment}/audits", None, body, equipment="Equipment_1")
    assert answer.status == status
    assert len(history().body["audits"]) == (status == 201)
