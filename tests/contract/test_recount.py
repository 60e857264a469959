"""Extremes after retractions: what the consumer can't subtract it reads again from the sources."""

from decimal import Decimal

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Extremes, Moment
from edgewise.aggregates.stored import aggregate
from edgewise.stream import changes, writer
from edgewise.times import from_rfc_3339
from functions.catalog import CATALOG
from functions.systems.chat import keys as chat_keys
from functions.systems.chat import messages, rooms
from functions.systems.chat.entity import Message, Room
from functions.systems.chat.system import POSTED_IN
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry import system as telemetry_system
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import REPORTED_FROM, ROLLUP_DAY, ROLLUP_HOUR
from tests.support import readings as events
from tests.support.streams import Recording

NOON = from_rfc_3339("2018-08-29T12:00:00.000Z")
HOUR = ROLLUP_HOUR("jfk", NOON)
DAY = ROLLUP_DAY("jfk", from_rfc_3339("2018-08-29T00:00:00.000Z"))
DEVICE = telemetry_system.DEVICE("jfk")
PLACE = REPORTED_FROM("jfk", ("US", "NY"))
POSTED = POSTED_IN("amy", "seattle")


def reading(minute: int, temp: str, place: tuple[str, ...] = ("US", "NY")) -> Reading:
    return Reading("jfk", NOON + minute * 60_000, f"e{minute}", place, {"temp": Decimal(temp)})


def delete(table: Recording, *gone: Reading) -> None:
    for event in gone:
        table.delete(telemetry_keys.EVENT(event.device, event.at, event.id))


def absorb(table: Recording, records: int | None = None) -> None:
    """Absorb the next records of the stream as one batch; all of them, and what that writes itself, if not told."""
    (shard,) = table.shards.values()
    while shard:
        batch: dict[AggregateId, list[Effect]] = {}
        taken, shard[:records] = shard[:records], []
        for record in taken:
            for aggregate_id, effect in changes.effects(CATALOG, record).items():
                batch.setdefault(aggregate_id, []).append(effect)
        writer.apply(table, "shard", batch)
        if records is not None:
            break


def stored(table: Recording, aggregate_id: AggregateId) -> Aggregate:
    return aggregate(aggregate_id, table.get(keys.of(aggregate_id)))


def span(first: int, last: int, low: str, high: str, at_first: str, at_last: str) -> Extremes:
    moments = (Moment(NOON + minute * 60_000, Decimal(value)) for minute, value in ((first, at_first), (last, at_last)))
    return Extremes(Decimal(low), Decimal(high), *moments)


def instants(first: int, last: int) -> Extremes:
    return Extremes(None, None, *(Moment(NOON + minute * 60_000, Decimal(0)) for minute in (first, last)))


@pytest.fixture
def readings(engine: Recording) -> list[Reading]:
    """Four in one hour: the lowest is the first, the highest the last."""
    made = [reading(0, "1"), reading(10, "5.5"), reading(20, "3"), reading(50, "9")]
    events.write(engine, made)
    absorb(engine)
    return made


def test_the_lowest_and_first_taken_away_leaves_the_next(engine: Recording, readings: list[Reading]) -> None:
    delete(engine, readings[0])
    absorb(engine)
    rest = Cell(3, Decimal("17.5"), span(10, 50, "3", "9", "5.5", "9"))
    assert stored(engine, HOUR).cells == {"0.temp": rest}
    assert stored(engine, DAY).cells == {"0.temp": rest}
    assert stored(engine, DEVICE).cells["Events"] == Cell(3, Decimal(0), instants(10, 50))
    assert stored(engine, PLACE).cells == {"Count": Cell(3, Decimal(0), instants(10, 50))}


def test_a_corrected_highest_and_last_is_replaced(engine: Recording, readings: list[Reading]) -> None:
    events.write(engine, [reading(50, "4")])
    absorb(engine)
    assert stored(engine, HOUR).cells == {"0.temp": Cell(4, Decimal("13.5"), span(0, 50, "1", "5.5", "1", "4"))}


def test_a_reading_moved_to_another_place_leaves_the_first_place(engine: Recording, readings: list[Reading]) -> None:
    events.write(engine, [reading(0, "1", ("US", "TX"))])
    absorb(engine)
    assert stored(engine, PLACE).cells == {"Count": Cell(3, Decimal(0), instants(10, 50))}
    texas = REPORTED_FROM("jfk", ("US", "TX"))
    assert stored(engine, texas).cells == {"Count": Cell(1, Decimal(0), instants(0, 0))}


def test_the_last_hour_of_the_last_day_can_be_recounted(engine: Recording) -> None:
    late = from_rfc_3339("9999-12-31T23:30:00.000Z")
    ends = [Reading("jfk", late + minute, f"e{minute}", (), {"temp": Decimal(minute)}) for minute in (0, 1)]
    events.write(engine, ends)
    absorb(engine)
    delete(engine, ends[1])
    absorb(engine)
    last = ROLLUP_DAY("jfk", from_rfc_3339("9999-12-31T00:00:00.000Z"))
    assert stored(engine, last).cells["0.temp"].extremes.high == 0


def test_removals_that_a_recount_foresees_do_not_leave_their_extremes(engine: Recording) -> None:
    """Both readings are gone when the first removal is absorbed: nothing is left to recount, one is still counted."""
    low, high, later = reading(0, "1"), reading(10, "5"), reading(20, "9")
    events.write(engine, [low, high])
    absorb(engine)
    delete(engine, low, high)
    absorb(engine, records=1)
    events.write(engine, [later])
    absorb(engine)
    assert stored(engine, HOUR).cells == {"0.temp": Cell(1, Decimal(9), span(20, 20, "9", "9", "9", "9"))}
    assert stored(engine, DEVICE).cells["Events"] == Cell(1, Decimal(0), instants(20, 20))


def test_messages_are_recounted_over_all_shards(engine: Recording) -> None:
    posts = [
        Message("seattle", shard, "amy", NOON + minute * 60_000, f"m{minute}", "hi")
        for shard, minute in ((1, 0), (2, 10), (3, 20), (3, 30))
    ]
    rooms.create(engine, Room.starting_with("seattle", 3))
    messages.write(engine, posts)
    absorb(engine)
    for gone in (posts[0], posts[3]):
        engine.delete(chat_keys.message("seattle", gone.shard, "amy", gone.sent_at, gone.id))
    absorb(engine)
    assert stored(engine, POSTED).cells == {"Count": Cell(2, Decimal(0), instants(10, 20))}
