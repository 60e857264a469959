"""Readings taken back, from open hours and closed ones: every number follows, and no repeat brings them back."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.times import from_rfc_3339
from functions.systems.telemetry import codec
from functions.systems.telemetry.entity import Reading
from tests.support.clocks import Clock
from tests.support.http import Answer, Client
from tests.support.queue import batch, deliver, failed
from tests.support.streams import StreamedMemory, StreamedTable

pytestmark = pytest.mark.usefixtures("handlers", "clock")

Drain = Callable[[], None]
ROUTE = "DELETE /devices/{device}/events/{id}"
AMY, BOB = Client("amy", ("ingest",)), Client("bob", ("ingest", "write", "admin"))
IMPORTER = Client("ivy", ("import", "ingest"))
TEXAS, OHIO = ["US", "Texas"], ["US", "Ohio"]
WITHDRAWN = ("event_id", "was withdrawn")


def at(minute: str) -> str:
    return f"2018-08-29T{minute}:00.000Z"


def event(name: str, minute: str, value: float, place: list[str] = TEXAS) -> dict[str, Any]:
    return {"device_id": "d", "at": at(minute), "event_id": name, "metrics": {"temp": value}, "place": place}


def post(*events: Any, client: Client = AMY) -> Answer:
    return client.call("POST /telemetry", None, {"events": list(events)})


def withdraw(name: str, minute: str, client: Client = AMY) -> Answer:
    return client.call(ROUTE, {"at": at(minute)}, device="d", id=name)


def why(answer: Answer) -> list[tuple[str, str]]:
    return [(fault["field"], fault["error"]) for fault in answer.body["rejected"]]


def rollup(grain: str) -> list[dict[str, Any]]:
    asked = {"metric": "temp", "grain": grain}
    return list(Client().call("GET /devices/{device}/rollups", asked, device="d").body["rollups"])


def told(bucket: dict[str, Any]) -> list[int]:
    assert not bucket["recounting"]
    return [int(bucket[name]) for name in ("count", "sum", "min", "max", "first", "last")]


def device() -> dict[str, Any]:
    body: dict[str, Any] = Client().call("GET /devices/{device}", device="d").body
    return body


class TestNumbers:
    """Counts, sums, extremes and places are those of the readings that are left."""

    def test_of_the_open_hour(self, drain: Drain, clock: Clock) -> None:
        clock.show(at("12:40"))
        post(event("a", "12:10", 5), event("b", "12:20", 9), event("c", "12:30", 1, OHIO))
        drain()
        assert withdraw("c", "12:30").status == 204
        drain()
        assert (told(rollup("hour")[0]), told(rollup("day")[0])) == ([2, 14, 5, 9, 5, 9],) * 2
        summary, (place,) = device()["summary"], device()["places"]
        assert (summary["events"], summary["places"], summary["last"]) == (2, 1, at("12:20"))
        assert (place["place"], place["events"]) == (TEXAS, 2)

    def test_of_a_closed_hour(self, drain: Drain, clock: Clock) -> None:
        clock.show(at("14:00"))
        post(event("a", "12:10", 5), event("b", "12:20", 9), event("c", "12:30", 7))
        drain()
        post(event("d", "13:50", 6, OHIO))
        drain()
        assert withdraw("b", "12:20").status == 204
        drain()
        assert [told(hour) for hour in rollup("hour")] == [[2, 12, 5, 7, 5, 7], [1, 6, 6, 6, 6, 6]]
        assert [told(day) for day in rollup("day")] == [[3, 18, 5, 7, 5, 6]]

    def test_of_a_clock_that_was_wrong(self, table: StreamedTable, drain: Drain, clock: Clock) -> None:
        """A reading of 2106, which an earlier release took, is not the last any more."""
        clock.show(at("12:40"))
        post(event("a", "12:10", 5))
        wrong = "2106-02-07T06:28:15.000Z"
        reading = Reading("d", from_rfc_3339(wrong), "w", tuple(TEXAS), {"temp": Decimal(99)})
        table.put_many([codec.sent_item(reading, AMY.user)])
        drain()
        assert device()["summary"]["last"] == wrong
        assert AMY.call(ROUTE, {"at": wrong}, device="d", id="w").status == 204
        drain()
        assert (device()["summary"]["events"], device()["summary"]["last"]) == (1, at("12:10"))
        assert [told(day) for day in rollup("day")] == [[1, 5, 5, 5, 5, 5]]


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> StreamedMemory:
    """In memory, because moto takes no statements."""
    found = StreamedMemory()
    monkeypatch.setattr("functions.web.runtime.table", lambda: found)
    return found


def stored(table: StreamedTable | StreamedMemory) -> Item | None:
    return table.get(Key("DEVICE#d", f"EVENT#{at('12:10')}#a"))


@pytest.mark.parametrize("form", ["puts", "statements"])
class TestSentAgain:
    @pytest.fixture(autouse=True)
    def withdrawn(self, handlers: None, memory: StreamedMemory, request: pytest.FixtureRequest, form: str) -> None:
        if form == "statements":
            request.getfixturevalue("by_statements")
        post(event("a", "12:10", 5), event("b", "12:20", 6))
        assert withdraw("a", "12:10").status == 204

    @pytest.mark.parametrize("client", [AMY, IMPORTER, BOB])
    @pytest.mark.parametrize("value", [5, 77])
    def test_it_is_refused(self, memory: StreamedMemory, client: Client, value: int) -> None:
        before = stored(memory)
        answer = post(event("a", "12:10", value), event("b", "12:20", 6), event("c", "12:30", 8), client=client)
        assert (answer.body["accepted"], why(answer), stored(memory)) == (2, [WITHDRAWN], before)

    def test_the_queue_does_not_bring_it_back_either(self, memory: StreamedMemory) -> None:
        before = stored(memory)
        assert len(failed(deliver(batch({"events": [event("a", "12:10", 5)]})))) == 1
        assert stored(memory) == before

    def test_lists_are_as_full_without_it(self) -> None:
        events = Client().call("GET /devices/{device}/events", {"limit": "1"}, device="d").body
        assert ([each["event_id"] for each in events["events"]], "left_out" in events) == (["b"], False)


def test_a_correction_that_has_read_it_before_does_not_bring_it_back(
    memory: StreamedMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(event("a", "12:10", 5), event("b", "12:20", 6))
    read = memory.get_many

    def then_withdraw(*keys: Any, **how: Any) -> Any:
        found = read(*keys, **how)
        monkeypatch.setattr(memory, "get_many", read)
        assert withdraw("a", "12:10").status == 204
        return found

    monkeypatch.setattr(memory, "get_many", then_withdraw)
    answer = post(event("a", "12:10", 50), event("b", "12:20", 60))
    assert (answer.body["corrected"], why(answer)) == (1, [WITHDRAWN])
    assert "Withdrawn" in (stored(memory) or {})


def test_its_first_sender_and_importers_may(memory: StreamedMemory) -> None:
    post(event("a", "12:10", 5))
    refused = withdraw("a", "12:10", BOB)
    assert (refused.status, withdraw("x", "12:10").status) == (403, 404)
    assert [withdraw("a", "12:10", client).status for client in (IMPORTER, IMPORTER, AMY)] == [204, 204, 410]
    assert stored(memory) == {
        "PK": {"S": "DEVICE#d"},
        "SK": {"S": "EVENT#2018-08-29T12:10:00.000Z#a"},
        "Type": {"S": "EVENT"},
        "Withdrawn": {"M": {"By": {"S": "ivy"}, "At": {"S": "2018-08-29T12:00:00.000Z"}}},
    }
