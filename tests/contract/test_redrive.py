"""Redrives that only a long history brings about. (Any history: tests/delivery/test_exactly_once.py.)"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Extremes, Moment
from edgewise.aggregates.open_hours.attributes import CLOSING
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.table import Table
from edgewise.errors import MalformedRecordError, NotFoundError
from edgewise.pending import FollowUp
from edgewise.stream import changes, follow_ups, quarantine, writer
from edgewise.stream.redrive import redrive
from edgewise.stream.register import register
from edgewise.stream.verification import verify
from functions.catalog import CATALOG, FOLLOW_UPS
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry import system as telemetry_system
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import ROLLUP_HOUR
from tests.support import readings as events
from tests.support.streams import Recording

START = 1_535_544_000_000
DEVICE = telemetry_system.DEVICE("d")
ROLLUP = ROLLUP_HOUR("d", START)
HOUR_S = 3600


def reading(number: int) -> Reading:
    return Reading("d", START + number * 1000, f"e{number}", (), {"t": Decimal(number)})


def write(table: Recording, *numbers: int) -> list[dict[str, Any]]:
    """Store readings; gives their records."""
    (shard,) = table.shards.values()
    before = len(shard)
    events.write(table, [reading(number) for number in numbers])
    return shard[before:]


def delete(table: Recording, number: int) -> list[dict[str, Any]]:
    (shard,) = table.shards.values()
    before = len(shard)
    table.delete(telemetry_keys.EVENT("d", START + number * 1000, f"e{number}"))
    return shard[before:]


def deliver(table: Table, shard: str, records: list[dict[str, Any]]) -> None:
    """As the consumer does it."""
    batch: dict[AggregateId, list[Effect]] = {}
    for record in records:
        for aggregate_id, effect in changes.effects(CATALOG, record).items():
            batch.setdefault(aggregate_id, []).append(effect)
    writer.apply(table, shard, batch, register(table).quarantined)


@contextmanager
def closings_delivered(table: Recording, shard: str) -> Iterator[None]:
    """What closes inside is delivered at the end."""
    (written,) = table.shards.values()
    before = len(written)
    yield
    deliver(table, shard, [record for record in written[before:] if CLOSING in record["dynamodb"].get("NewImage", {})])


def hold(table: Table, shard: str, record: dict[str, Any]) -> str:
    """As a release does it that can't read the record; gives the number under which it is kept."""
    quarantine.quarantine(table, shard, quarantine.Entry(record, "KeyError"))
    return str(record["dynamodb"]["SequenceNumber"]).zfill(40)


def stored(table: Table, aggregate_id: AggregateId) -> Aggregate:
    return aggregate(aggregate_id, table.get(keys.of(aggregate_id)))


def count(table: Table) -> int:
    return stored(table, DEVICE).cells["Events"].count


def test_long_after_the_stream_has_forgotten_it(engine: Recording) -> None:
    (late,) = write(engine, 0)
    sequence = hold(engine, "a", late)
    engine.clock += 1000 * HOUR_S
    deliver(engine, "b", write(engine, 1))
    redrive(engine, FOLLOW_UPS, "a", sequence)
    assert count(engine) == 2
    assert register(engine).count == 0
    with pytest.raises(NotFoundError):
        redrive(engine, FOLLOW_UPS, "a", sequence)


def test_what_an_earlier_release_had_counted_is_not_counted_again_however_late(engine: Recording) -> None:
    """The shard's checkpoint says so, and is kept as long as the shard has records in quarantine."""
    records = write(engine, 0)
    deliver(engine, "a", records)
    sequence = hold(engine, "a", records[0])
    engine.clock += 1000 * HOUR_S
    deliver(engine, "b", write(engine, 1))
    assert set(stored(engine, DEVICE).checkpoints) == {"a", "b"}
    redrive(engine, FOLLOW_UPS, "a", sequence)
    assert count(engine) == 2
    deliver(engine, "b", write(engine, 2))
    assert set(stored(engine, DEVICE).checkpoints) == {"b"}, "now nothing needs it any more"


def test_a_redrive_that_slept_while_another_one_ended_counts_nothing(
    engine: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then the checkpoints that would have told it may be gone."""
    sequence = hold(engine, "a", write(engine, 0)[0])
    find = quarantine.find

    def interrupted(table: Table, shard: str, sequence: str) -> Any:
        found = find(table, shard, sequence)
        monkeypatch.setattr(quarantine, "find", find)
        redrive(table, FOLLOW_UPS, shard, sequence)
        engine.clock += 1000 * HOUR_S
        deliver(table, "b", write(engine, 1))
        return found

    monkeypatch.setattr(quarantine, "find", interrupted)
    redrive(engine, FOLLOW_UPS, "a", sequence)
    assert set(stored(engine, DEVICE).checkpoints) == {"b"}
    assert count(engine) == 2


def test_what_followed_may_have_taken_away_what_is_redriven(engine: Recording) -> None:
    """Its removal was understood before it was: in between the numbers are below zero, and nobody sees them."""
    come = write(engine, 5)[0]
    sequence = hold(engine, "a", come)
    with closings_delivered(engine, "child-of-a"):
        deliver(engine, "child-of-a", delete(engine, 5))
    assert stored(engine, ROLLUP).cells["0.t"].count == -1
    deliver(engine, "child-of-a", write(engine, 3))
    with closings_delivered(engine, "child-of-a"):
        redrive(engine, FOLLOW_UPS, "a", sequence)
    found = verify(engine, ROLLUP, lambda: True)
    three = Moment(START + 3000, Decimal(3))
    assert found.equal
    assert found.stored.cells["0.t"] == Cell(1, Decimal(3), Extremes(Decimal(3), Decimal(3), three, three))


def test_what_still_cannot_be_understood_stays(engine: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    sequence = hold(engine, "a", write(engine, 0)[0])
    before = engine.all_items()
    with monkeypatch.context() as patch:
        patch.setattr(CATALOG, "decoders", {**CATALOG.decoders, "EVENT": lambda item: item["Nothing"]})
        with pytest.raises(MalformedRecordError, match="KeyError: 'Nothing'"):
            redrive(engine, FOLLOW_UPS, "a", sequence)
    assert engine.all_items() == before


@pytest.fixture
def finished(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What follow-ups of the type WORK have finished."""
    done: list[str] = []

    def pending(new: Any, _: Any) -> str:
        return str(new["What"]["S"])

    def finish(_: Table, all_pending: Sequence[str]) -> None:
        done.extend(all_pending)

    monkeypatch.setattr(FOLLOW_UPS, "by_type", {"WORK": FollowUp(pending, finish)})
    return done


def test_what_the_cascade_set_aside_is_finished(engine: Recording, finished: list[str]) -> None:
    image = {"Type": {"S": "WORK"}, "What": {"S": "paint"}}
    record = {"eventID": "abc", "dynamodb": {"SequenceNumber": "7", "NewImage": image}}
    redrive(engine, FOLLOW_UPS, follow_ups.SHARD, hold(engine, follow_ups.SHARD, record))
    assert finished == ["paint"]
    assert register(engine).count == 0
