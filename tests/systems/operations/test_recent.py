"""What moved last: the numbers that records have reached, the newest first; and how many were looked at."""

from collections.abc import Callable

import pytest

from edgewise.dynamodb.attributes import s
from functions.systems.operations import recent
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

AMY, WRITER = Client("amy"), Client("app", ("write", "ingest"))
ROUTE = "GET /recent"


def asked(cursor: str | None = None) -> Answer:
    answer = AMY.call(ROUTE, {"cursor": cursor} if cursor else {})
    assert answer.status == 200, answer.body
    return answer


@pytest.fixture
def moved(table: StreamedTable, drain: Callable[[], None]) -> None:
    """A device, then a customer, then the device again, a minute after the other."""
    reading = {"device_id": "hall/3", "at": "2018-08-29T11:00:00Z", "metrics": {"temp": 20}}
    for number in range(2):
        sent = reading | {"event_id": f"{number}"}
        assert WRITER.call("POST /telemetry", body={"events": [sent]}).status == 202
        table.clock += 60
        if number == 0:
            body = {"order_id": "1", "amount": 5, "opened_at": "2018-08-29T11:00:00Z"}
            WRITER.call("POST /customers/{customer}/orders", body=body, customer="kim")
            table.clock += 60
    drain()


def test_of_nothing_nothing_moved() -> None:
    body = asked().body
    assert (body["looked"], body["moved"], body["cursor"]) == (0, [], None)


@pytest.mark.usefixtures("moved")
def test_the_last_one_comes_first_with_its_number() -> None:
    body = asked().body
    told = [(each["kind"], each["dimensions"], each["cell"], each["count"]) for each in body["moved"]]
    assert told == [("DEVICE", ["hall/3"], "Events", 2), ("CUSTOMER", ["kim"], "Orders", 1)]
    assert body["moved"][0]["at"] > body["moved"][1]["at"]
    assert (body["looked"], body["cursor"]) == (2, None)


@pytest.mark.usefixtures("moved")
def test_it_says_how_many_it_has_looked_at_and_goes_on_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "LOOKED", 1)
    first = asked().body
    rest = asked(first["cursor"]).body
    assert [each["kind"] for each in first["moved"] + rest["moved"]] == ["DEVICE", "CUSTOMER"]
    assert (first["looked"], rest["looked"]) == (1, 1)


@pytest.mark.usefixtures("moved")
def test_nothing_is_written() -> None:
    assert asked().cost[2] == 0


@pytest.mark.usefixtures("moved")
def test_a_foreign_item_in_the_place_of_a_summary_hides_no_other(table: StreamedTable) -> None:
    table.put_many(
        [{"PK": s("CUSTOMER#kim"), "SK": s("EDGE#"), "Cells": s("?"), "GSI1PK": s("CUSTOMER"), "GSI1SK": s("kim")}]
    )
    assert [each["kind"] for each in asked().body["moved"]] == ["DEVICE"]


@pytest.mark.usefixtures("moved")
def test_a_cursor_of_another_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "LOOKED", 1)
    answer = AMY.call("GET /exactness", {"cursor": asked().body["cursor"]})
    assert (answer.status, answer.fields) == (400, ["cursor"])
