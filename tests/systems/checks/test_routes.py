"""Checks over HTTP: the list, one check, what it found; who may see them."""

from decimal import Decimal
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from functions.systems.checks import codec, keys, store
from functions.systems.checks.entity import Difference, Why
from tests.support.http import Answer, Client, http_event, send
from tests.systems.checks.made import BEGAN, COUNTS, NAME, difference, figures, reconcile

pytestmark = pytest.mark.usefixtures("handlers")

ADMIN = Client("operator", ("admin",))
ALL, ONE, FOUND = "GET /checks", "GET /checks/{run}", "GET /checks/{run}/differences"
NO_FIGURES = dict.fromkeys([*COUNTS, "nodes", "edges", "components", "differences", "unlisted", "seconds", "cost"])
DONE = {
    "run": NAME,
    "kind": "reconcile",
    "state": "done",
    "instant": "2026-11-23T05:41:00.000Z",
    "began": "2026-11-23T05:41:00.750Z",
    "ended": "2026-11-23T05:51:00.750Z",
    **COUNTS,
    "nodes": None,
    "edges": None,
    "components": None,
    "differences": {"wrong": 3, "follows": 2, "noted": 0, "unreadable": 0},
    "unlisted": 1,
    "seconds": Decimal("61.5"),
    "cost": Decimal("0.2134"),
    "error": None,
}
BY_KIND: dict[str, dict[Why, int]] = {"ROOM": {"wrong": 1, "follows": 2}, "DEGREE": {"wrong": 2}}


def all_checks(**query: str) -> Answer:
    return ADMIN.call(ALL, query)


def check(run: str = NAME) -> Answer:
    return ADMIN.call(ONE, run=run)


def found(run: str = NAME, **query: str) -> Answer:
    return ADMIN.call(FOUND, query, run=run)


def abouts(answer: Answer) -> list[str]:
    return [each["about"][1][0] for each in answer.body["differences"]]


@pytest.fixture
def done(table: Table) -> None:
    ended = reconcile().done(BEGAN + 600_000, figures(BY_KIND, unlisted=1))
    table.put_many([codec.run_item(ended)])


@pytest.fixture
def differences(table: Table, done: None) -> list[Difference]:
    """As they came: not in the order in which they are listed."""
    came = [
        difference("follows", "ROOM", "f1"),
        difference("wrong", "ROOM", "w3"),
        difference("noted", "DEGREE", "n1"),
        difference("wrong", "DEGREE", "w1"),
        difference("follows", "DEGREE", "f0"),
        difference("wrong", "DEGREE", "w2"),
        difference("unreadable", "EVENT", "u1"),
    ]
    store.add_differences(table, NAME, list(enumerate(came)))
    return came


class TestTheList:
    def test_nothing_has_run(self) -> None:
        assert all_checks().body == {"checks": [], "cursor": None}

    @pytest.mark.usefixtures("done")
    def test_what_is_told_of_a_check_that_is_done(self) -> None:
        answer = all_checks()
        assert answer.body == {"checks": [DONE], "cursor": None}
        assert answer.cost[0] == 1

    def test_what_is_told_of_one_that_runs_and_of_one_that_failed(self, table: Table) -> None:
        later = reconcile("20261124T054100Z")
        table.put_many([codec.run_item(reconcile()), codec.run_item(later.failed(BEGAN + 1000, "no room"))])
        failed, running = all_checks().body["checks"]
        assert running == DONE | NO_FIGURES | {"state": "running", "ended": None}
        assert (failed["state"], failed["error"], failed["ended"]) == ("failed", "no room", "2026-11-23T05:41:01.750Z")

    def test_pages_begin_with_the_newest(self, table: Table) -> None:
        names = [f"202611{day}T054100Z" for day in range(10, 15)]
        table.put_many([codec.run_item(reconcile(name)) for name in names])
        listed, cursor, pages = [], None, 0
        while pages == 0 or cursor:
            answer = all_checks(limit="2", **({"cursor": cursor} if cursor else {}))
            listed += [each["run"] for each in answer.body["checks"]]
            cursor, pages = answer.body["cursor"], pages + 1
            assert answer.cost[0] == 1
        assert listed == names[::-1]
        assert pages == 3

    def test_foreign_items_are_left_out_and_told_of(self, table: Table) -> None:
        item = codec.run_item(reconcile())
        table.put_many([item, {**item, "PK": {"S": "CHECK#x"}, "SK": {"S": "x"}, "Data": {"S": "?"}}])
        body = all_checks().body
        assert ([each["run"] for each in body["checks"]], body["left_out"]) == ([NAME], 1)


class TestOne:
    @pytest.mark.usefixtures("done")
    def test_it_has_the_differences_by_kind_too(self) -> None:
        answer = check()
        by_kind = {
            "ROOM": {"wrong": 1, "follows": 2, "noted": 0, "unreadable": 0},
            "DEGREE": {"wrong": 2, "follows": 0, "noted": 0, "unreadable": 0},
        }
        assert answer.body == DONE | {
            "by_kind": by_kind,
            "unjudged": [{"type": "MESSAGE", "items": 12, "what": "whether anybody reads it"}],
        }
        assert answer.cost[0] == 1

    def test_it_runs(self, table: Table) -> None:
        table.put_many([codec.run_item(reconcile())])
        assert check().body["by_kind"] is None

    def test_there_is_none_of_that_instant(self) -> None:
        assert check().status == 404


@pytest.mark.usefixtures("differences")
class TestDifferences:
    def test_causes_come_first(self) -> None:
        answer = found()
        assert abouts(answer) == ["w1", "w2", "w3", "f0", "f1", "n1", "u1"]
        assert answer.cost[0] == 1

    def test_one_is_told_as_it_was_found(self) -> None:
        assert found(why="noted").body == {
            "run": NAME,
            "differences": [
                {
                    "kind": "DEGREE",
                    "why": "noted",
                    "about": ["DEGREE", ["n1"]],
                    "pk": "DEGREE#n1",
                    "sk": "EDGE#",
                    "expected": {"Cell000": "3"},
                    "stored": {"Cell000": "4"},
                    "checkpoints": {"shard000": {"sequence": "7", "at": "2026-11-23T05:40:59.000Z"}},
                    "reason": "",
                    "more_cells": 0,
                    "more_shards": 0,
                }
            ],
            "cursor": None,
        }

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ({"why": "wrong"}, ["w1", "w2", "w3"]),
            ({"why": "follows"}, ["f0", "f1"]),
            ({"why": "unreadable"}, ["u1"]),
            ({"why": "wrong", "kind": "ROOM"}, ["w3"]),
            ({"why": "wrong", "kind": "DEGREE"}, ["w1", "w2"]),
            ({"why": "wrong", "kind": "DEGRE"}, []),
            ({"why": "wrong", "kind": "DEGREE#"}, []),
        ],
    )
    def test_filters(self, query: dict[str, str], expected: list[str]) -> None:
        answer = found(**query)
        assert (answer.status, abouts(answer)) == (200, expected)
        assert answer.cost[0] == (1 if expected else 2)

    def test_pages(self) -> None:
        first = found(limit="4")
        rest = found(limit="4", cursor=first.body["cursor"])
        assert (abouts(first), abouts(rest)) == (["w1", "w2", "w3", "f0"], ["f1", "n1", "u1"])
        assert rest.body["cursor"] is None

    def test_a_cursor_is_of_one_list_only(self) -> None:
        answer = found(limit="1", why="wrong", cursor=found(limit="1").body["cursor"])
        assert (answer.status, answer.fields) == (400, ["cursor"])


def test_a_check_may_have_no_differences(done: None) -> None:
    answer = found()
    assert (answer.status, answer.body["differences"]) == (200, [])


def test_there_are_no_differences_of_no_check() -> None:
    assert found().status == 404


@pytest.mark.parametrize("route", [ONE, FOUND])
@pytest.mark.parametrize("run", ["x", "20261123", "20261323T054100Z", "20261123T054100", "20261123t054100z", "日本"])
def test_what_names_no_run_is_refused(route: str, run: str) -> None:
    answer = ADMIN.call(route, run=run)
    assert (answer.status, answer.fields) == (400, ["run"])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"why": "because"}, "why"),
        ({"kind": "ROOM"}, "kind"),
        ({"kind": "", "why": "wrong"}, "kind"),
        ({"kind": "x" * 201, "why": "wrong"}, "kind"),
        ({"limit": "0"}, "limit"),
        ({"limit": "1001"}, "limit"),
        ({"order": "asc"}, "order"),
    ],
)
def test_what_differences_can_not_be_asked_for(query: dict[str, str], field: str) -> None:
    answer = found(**query)
    assert (answer.status, answer.fields) == (400, [field])


@pytest.mark.parametrize("route", [ALL, ONE, FOUND])
class TestWhoMaySee:
    @pytest.mark.parametrize("groups", [(), ("write",), ("ingest", "import", "write")])
    def test_only_members_of_admin(self, route: str, groups: tuple[str, ...]) -> None:
        assert Client("amy", groups).call(route, run=NAME).status == 403

    def test_nobody_without_a_token(self, route: str) -> None:
        """The gateway answers 401 before it asks a function; who comes past it is not let in."""
        event: dict[str, Any] = http_event(route, {"run": NAME}, {}, None, None)
        assert send(event).status == 401


def test_the_lock_is_no_run(table: Table) -> None:
    table.put_many([codec.run_item(reconcile()), {"PK": {"S": keys.LOCK.pk}, "SK": {"S": keys.LOCK.sk}}])
    assert [each["run"] for each in all_checks().body["checks"]] == [NAME]
