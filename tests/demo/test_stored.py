"""What should not be in the table is found, whatever kind of aggregate it would be."""

from decimal import Decimal
from typing import Any

import pytest

from demo.others import Sources
from demo.stored import look
from edgewise.aggregates import keys
from edgewise.dynamodb.attributes import Item, key_of
from functions.systems.telemetry import system as telemetry_system
from functions.web import runtime
from ops.recounting.compare import compare
from ops.recounting.facts import Name
from ops.recounting.feed import chat_message, event
from ops.recounting.recount import recount
from ops.recounting.samples import Message, Reading
from tests.delivery.consuming import consuming
from tests.support.http import Client, Context
from tests.support.streams import StreamedMemory, window_event

DEVICE, IMPORTER = Client(groups=("ingest",)), Client(groups=("import",))
READINGS = [Reading("JFK", f"2013-01-01T0{hour}:00:00Z", ("US", "JFK"), {"temp": Decimal(hour)}) for hour in range(3)]
MESSAGE = Message("r1", "amy", "2018-08-29T12:00:00Z", "0", "hi")
POSTED = Sources(READINGS, [MESSAGE])


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> StreamedMemory:
    """A demo's table in small: a few readings and one message."""
    table = StreamedMemory()
    monkeypatch.setattr(runtime, "table", lambda: table)
    post(*map(event, READINGS))
    say(**chat_message(MESSAGE))
    absorb(table)
    return table


def post(*events: Any) -> None:
    assert DEVICE.call("POST /telemetry", None, {"events": list(events)}).status == 202


def say(**message: Any) -> None:
    assert IMPORTER.call("POST /rooms/{room}/messages", None, {"messages": [message]}, room="r1").status == 202


def absorb(table: StreamedMemory) -> None:
    with consuming() as on:
        for shard, records in table.shards.items():
            while records:
                batch, records[:] = list(records), []
                on(table)(window_event(shard, batch), Context())


def differences(table: StreamedMemory) -> list[tuple[str, str]]:
    """Each difference: the last part of its name, and what is wrong."""
    seen = look(table.items.values())
    own, _ = seen.sources.told_from(POSTED)
    compared = (compare("items stored", own.numbers, POSTED.numbers), seen.cells)
    return [
        (str([line.name.kind, *line.name.about][-1]), line.verdict)
        for comparison in compared
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
    post({"device_id": "LGA", "at": "2018-08-29T12:00:00Z", "event_id": "e", "metrics": {"temp": 1}})
    absorb(table)
    assert not any(key.sk.startswith("ROLLUP") for key in table.items if key.pk == "DEVICE#LGA")
    assert differences(table) == []
    del table.items[keys.of(telemetry_system.DEVICE("LGA"))]["Open"]
    assert sorted(differences(table)) == [("0.temp", "missing"), ("0.temp", "missing")]


def test_an_aggregate_that_is_lost_is_found(table: StreamedMemory) -> None:
    del table.items[key_of(of(table, "USER"))]
    assert {verdict for _, verdict in differences(table)} == {"missing"}


def test_what_others_wrote_is_told_from_what_was_posted(table: StreamedMemory) -> None:
    post({"device_id": "JFK", "at": 3, "place": ["US", "JFK"], "metrics": {"temp": 0}})
    say(user="amy", sent_at=1, message_id="1", text="hi")
    say(user="bob", sent_at=MESSAGE.sent_at, message_id="0", text="hi")
    absorb(table)
    own, others = look(table.items.values()).sources.told_from(POSTED)
    assert own.numbers == POSTED.numbers
    assert str(others) == "1 readings (JFK: 1), 2 messages (amy in r1: 1, bob in r1: 1)"
    assert {name.kind for name in others.counted_by(POSTED)} == {name.kind for name in recount(READINGS, [MESSAGE])}
    assert Name("POSTED_IN", ("bob", "r1")) in others.counted_by(POSTED)
    assert str(Sources([], [])) == ""


def test_what_is_under_way_is_no_difference_what_stays_is_one(table: StreamedMemory) -> None:
    of(table, "ROLLUP_HOUR")["Cells"]["M"]["0.nothing"] = {"S": "1"}
    post({"device_id": "LGA", "at": 0, "metrics": {"temp": 1}})
    first = look(table.items.values())
    assert len(first.cells.different) > 1
    absorb(table)
    say(user="bob", sent_at=0, message_id="0", text="hi")
    (line,) = look(table.items.values()).after(first).cells.different
    assert (line.name.about[-1], line.verdict) == ("0.nothing", "unexpected")


def test_a_message_or_event_too_many_is_found(table: StreamedMemory) -> None:
    for kind in ("MESSAGE", "EVENT"):
        twice = of(table, kind) | {"SK": {"S": of(table, kind)["SK"]["S"] + "x"}}
        table.items[key_of(twice)] = twice
    assert ("MESSAGE", "items: +1") in differences(table)
    assert ("EVENT", "items: +1") in differences(table)
