"""What should not be in the table is found, whatever kind of aggregate it would be."""

from typing import Any

import pytest

from edgewise.aggregates import keys
from edgewise.dynamodb.attributes import Item, key_of
from functions.systems.telemetry import system as telemetry_system
from functions.web import runtime
from local.drain import PASSES
from local.samples import Message, Reading
from local.stored import comparisons, posted
from tests.delivery.consuming import consuming
from tests.support.http import Client, Context
from tests.support.streams import StreamedMemory, window_event

DEVICE, IMPORTER = Client(groups=("ingest",)), Client(groups=("import",))
READING = Reading("JFK", "2013-01-01T06:00:00Z", ("US", "JFK"), {})
MESSAGE = Message("r1", "amy", "2018-08-29T12:00:00Z", "0", "hi")


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> StreamedMemory:
    """A demo's table in small: one message, and as many events as there are probes and one more."""
    table = StreamedMemory()
    monkeypatch.setattr(runtime, "table", lambda: table)
    events = [{"device_id": "JFK", "at": n, "place": ["US", "JFK"], "metrics": {"temp": n}} for n in range(PASSES + 1)]
    assert DEVICE.call("POST /telemetry", None, {"events": events}).status == 202
    said = {"text": "hi", "user": "amy", "sent_at": 0, "message_id": "0"}
    assert IMPORTER.call("POST /rooms/{room}/messages", None, {"messages": [said]}, room="r1").status == 202
    absorb(table)
    return table


def absorb(table: StreamedMemory) -> None:
    with consuming() as on:
        for shard, records in table.shards.items():
            while records:
                batch, records[:] = list(records), []
                on(table)(window_event(shard, batch), Context())


def differences(table: StreamedMemory) -> list[tuple[str, str]]:
    """Each difference: the last part of its name, and what is wrong."""
    found = comparisons(table.items.values(), posted([READING], [MESSAGE]))
    return [
        (str([line.name.kind, *line.name.about][-1]), line.verdict)
        for comparison in found
        for line in comparison.different
    ]


def of(table: StreamedMemory, kind: str) -> Any:
    """One aggregate of a kind."""
    return next(item for item in table.items.values() if item["Type"]["S"] == kind)


def test_what_the_consumer_writes_is_all_accounted_for(table: StreamedMemory) -> None:
    kinds = {item["Type"]["S"] for item in table.items.values() if "Seqs" in item}
    assert kinds >= {"POSTED_IN", "USER", "ROOM", "ROLLUP_HOUR", "ROLLUP_DAY", "DEVICE", "REPORTED_FROM", "PLACE"}
    assert differences(table) == []


@pytest.mark.parametrize("kind", ["POSTED_IN", "USER", "ROLLUP_HOUR", "DEVICE", "REPORTED_FROM", "PLACE"])
def test_an_aggregate_of_something_never_posted_is_found(table: StreamedMemory, kind: str) -> None:
    surplus: Item = of(table, kind) | {"PK": {"S": "DEVICE#nobody"}}
    table.items[key_of(surplus)] = surplus
    assert "unexpected" in {verdict for _, verdict in differences(table)}


def test_a_cell_too_many_is_found(table: StreamedMemory) -> None:
    of(table, "ROLLUP_HOUR")["Cells"]["M"]["0.nothing"] = {"S": "1"}
    assert differences(table) == [("0.nothing", "unexpected")]


def test_what_is_open_stands_for_the_cells_that_will_have_it(table: StreamedMemory) -> None:
    event = {"device_id": "LGA", "at": "2018-08-29T12:00:00Z", "event_id": "e", "metrics": {"temp": 1}}
    assert DEVICE.call("POST /telemetry", None, {"events": [event]}).status == 202
    absorb(table)
    assert not any(key.sk.startswith("ROLLUP") for key in table.items if key.pk == "DEVICE#LGA")
    assert differences(table) == [("EVENT", "items: +1")]
    del table.items[keys.of(telemetry_system.DEVICE("LGA"))]["Open"]
    assert sorted(differences(table)) == [("0.temp", "missing"), ("0.temp", "missing"), ("EVENT", "items: +1")]


def test_an_aggregate_that_is_lost_is_found(table: StreamedMemory) -> None:
    del table.items[key_of(of(table, "USER"))]
    assert {verdict for _, verdict in differences(table)} == {"missing"}


def test_a_message_or_event_too_many_is_found(table: StreamedMemory) -> None:
    for kind in ("MESSAGE", "EVENT"):
        twice = of(table, kind) | {"SK": {"S": of(table, kind)["SK"]["S"] + "x"}}
        table.items[key_of(twice)] = twice
    assert ("MESSAGE", "items: +1") in differences(table)
    assert ("EVENT", "items: +1") in differences(table)
