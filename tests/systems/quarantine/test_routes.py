"""The quarantine over HTTP: the list, one record, redriving it; and what nobody is shown."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from edgewise.dynamodb.attributes import s
from edgewise.stream import quarantine as stored
from functions.catalog import CATALOG
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

AMY, ADMIN = Client("amy", ("write", "ingest", "import")), Client("operator", ("admin",))
ALL, ONE, REDRIVE = (
    "GET /quarantine",
    "GET /quarantine/{shard}/{sequence}",
    "POST /quarantine/{shard}/{sequence}/redrive",
)


def unreadable(item: Any) -> Any:
    raise KeyError("Metrics")


def send(number: int) -> None:
    event = {"device_id": "d", "at": f"2018-08-29T12:00:0{number}Z", "metrics": {"temp": number}}
    assert AMY.call("POST /telemetry", body={"events": [event]}).status == 202


@pytest.fixture
def broken() -> Iterator[pytest.MonkeyPatch]:
    """A release that can't read events, as long as it is not undone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CATALOG, "decoders", {**CATALOG.decoders, "EVENT": unreadable})
        yield patch


@pytest.fixture
def quarantined(broken: pytest.MonkeyPatch, drain: Callable[[], None]) -> None:
    for number in range(3):
        send(number)
    drain()


def all_records(**query: str) -> Any:
    return ADMIN.call(ALL, query).body


def first() -> dict[str, str]:
    record = all_records()["records"][0]
    return {"shard": record["shard"], "sequence": record["sequence"]}


def events_of_d() -> int | None:
    answer = AMY.call("GET /devices/{device}", device="d")
    return int(answer.body["summary"]["events"]) if answer.status == 200 else None


class TestTheList:
    @pytest.mark.usefixtures("quarantined")
    def test_each_has_its_reason(self) -> None:
        body = all_records()
        assert (body["count"], len(body["records"])) == (3, 3)
        assert body["records"][0]["error"] == "KeyError: 'Metrics'"
        assert [each["at"] for each in body["records"]] == sorted(each["at"] for each in body["records"])

    @pytest.mark.usefixtures("quarantined")
    def test_pages(self) -> None:
        page = all_records(limit="2")
        rest = all_records(limit="2", cursor=page["cursor"])
        sequences = [each["sequence"] for each in page["records"] + rest["records"]]
        assert (len(set(sequences)), rest["cursor"], rest["count"]) == (3, None, 3)


class TestOne:
    @pytest.mark.usefixtures("quarantined")
    def test_the_item_before_and_after_the_change(self) -> None:
        body = ADMIN.call(ONE, None, None, **first()).body
        assert (body["event"], body["old"]) == ("INSERT", None)
        assert (body["new"]["pk"], body["new"]["type"], body["new"]["hidden"]) == ("DEVICE#d", "EVENT", [])
        assert body["new"]["attributes"]["Metrics"] == {"temp": 0}

    def test_what_needs_a_permission_is_not_shown(self, table: StreamedTable) -> None:
        item = {
            "PK": s("DOCUMENT#plan"),
            "SK": s("v_000000001"),
            "Type": s("DOCUMENT_REVISION"),
            "Content": s("secret"),
        }
        change = {"SequenceNumber": "7", "ApproximateCreationDateTime": 1.0, "NewImage": item}
        stored.quarantine(table, "shard", stored.Entry({"eventName": "INSERT", "dynamodb": change}, "why"))
        answer = ADMIN.call(ONE, shard="shard", sequence="7".zfill(40))
        assert answer.body["new"]["hidden"] == ["Content"]
        assert "secret" not in str(answer.body)

    @pytest.mark.parametrize("image", [{"Content": s("secret")}, {"PK": {"N": "1"}, "Content": s("secret")}])
    def test_nor_what_nobody_can_tell_whose_it_is(self, table: StreamedTable, image: Any) -> None:
        change = {"SequenceNumber": "7", "ApproximateCreationDateTime": 1.0, "OldImage": image}
        stored.quarantine(table, "shard", stored.Entry({"eventName": "REMOVE", "dynamodb": change}, "why"))
        answer = ADMIN.call(ONE, shard="shard", sequence="7".zfill(40))
        assert answer.body["old"]["hidden"] == ["Content"]

    def test_there_is_none(self) -> None:
        assert ADMIN.call(ONE, shard="s", sequence="1").status == 404


@pytest.mark.usefixtures("quarantined")
class TestRedrive:
    def test_after_a_fix_it_counts_once(self, broken: pytest.MonkeyPatch, drain: Callable[[], None]) -> None:
        broken.undo()
        record = first()
        assert ADMIN.call(REDRIVE, None, None, **record).body == {**record, "count": 2}
        drain()
        assert events_of_d() == 1
        assert ADMIN.call(REDRIVE, None, None, **record).status == 404
        drain()
        assert events_of_d() == 1

    def test_before_the_fix_it_says_why_not(self) -> None:
        answer = ADMIN.call(REDRIVE, None, None, **first())
        assert (answer.status, answer.headers["Content-Type"]) == (409, "application/problem+json")
        assert "Metrics" in answer.body["detail"]
        assert (all_records()["count"], events_of_d()) == (3, None)


@pytest.mark.parametrize("route", [ALL, ONE, REDRIVE])
def test_administrators_only(route: str) -> None:
    answer: Answer = AMY.call(route, shard="s", sequence="1")
    assert answer.status == 403
