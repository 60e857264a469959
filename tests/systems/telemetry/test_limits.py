"""The longest readings and the fullest rollups fit DynamoDB's limits."""

from dataclasses import replace
from decimal import Decimal

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.continuations.declaration import ROOM
from edgewise.aggregates.continuations.items import continuation
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import EXACT, Cell, Delta, Extremes, Observation
from edgewise.aggregates.open_hours.hours import Kept, OpenPart, Put
from edgewise.aggregates.recounts.progress import TOGETHER, Position, Progress
from edgewise.aggregates.recounts.unknown import Unknown
from edgewise.aggregates.stored import aggregate_item
from edgewise.times import DAY, HOUR, LATEST
from functions.catalog import CATALOG
from functions.replay.validation import ITEM_BYTES
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import AT, HOURLY, Reading, cell_name
from functions.systems.telemetry.models import MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTES, MAX_METRICS
from functions.systems.telemetry.system import ROLLUP_HOUR
from functions.web.fields import PLACE_BYTES, Id, ShortId
from tests.support.limits import (
    CHARACTERS,
    GREATEST,
    MANY,
    WRITE_UNIT,
    assert_keys_fit,
    fullest,
    greatest_cell,
    item_size,
    longest,
    longest_place,
)


def long_name(number: int, character: str) -> str:
    """A metric with a name of 256 bytes; without a character, a short one."""
    return f"{number:04d}{character * (252 // len(character.encode() or b'-'))}"


@pytest.mark.parametrize("character", [*CHARACTERS, ""])
@pytest.mark.parametrize(("kind", "bucket"), [("ROLLUP_HOUR", HOUR), ("ROLLUP_DAY", DAY)])
def test_the_fullest_aggregate_fits_an_item(kind: str, bucket: int, character: str) -> None:
    """Whatever legal names are sent: the longest of each width of a character, and short ones."""
    rollup = CATALOG.kinds[kind](longest(Id, "x"), 0)
    names = [f"{number % 4}.{long_name(number, character)}" for number in range(MANY)]
    item = aggregate_item(fullest(rollup, names, greatest_cell(0, bucket)))
    assert 250 < len(item["Cells"]["M"]) < 850
    assert item_size(item) <= ITEM_BYTES
    continued = fullest(continuation(rollup, names[0]), names, greatest_cell(0, bucket))
    assert item_size(aggregate_item(continued)) <= ITEM_BYTES
    assert_keys_fit(aggregate_item(continued))


@pytest.mark.parametrize("character", [*CHARACTERS, ""])
def test_the_fullest_aggregate_fits_an_item_while_it_is_recounted(character: str) -> None:
    """All of its cells at once, as many together as may be; the others are queued."""
    names = [f"{number % 4}.{long_name(number, character)}" for number in range(MANY)]
    item = fullest(ROLLUP_HOUR(longest(Id, "x"), 0), names, greatest_cell(0, HOUR))
    at_start = replace(item, unknown=Unknown(queued=frozenset(item.cells)))
    greatest = greatest_cell(0, HOUR).extremes
    step = Progress(dict.fromkeys(names, greatest), Position(3, "x" * 1024))
    recounted = at_start.with_first_step(item.cells.keys(), step)
    found = recounted.unknown
    assert found.recount
    assert len(found.recount.found) == TOGETHER
    under_way = replace(found.recount, removed=found.recount.found)
    cells = {name: replace(cell, extremes=Extremes()) for name, cell in item.cells.items()}
    reading = replace(replace(recounted, cells=cells), unknown=replace(found, recount=under_way))
    assert item_size(aggregate_item(reading)) <= ITEM_BYTES
    # The others' extremes are known, so their cells are of the greatest size.
    known = {name: cells[name] if name in under_way.found else cell for name, cell in item.cells.items()}
    alone = replace(replace(recounted, cells=known), unknown=replace(found, recount=under_way, queued=frozenset()))
    assert item_size(aggregate_item(alone)) <= ITEM_BYTES


def test_the_longest_sums_take_the_room_that_they_need() -> None:
    """Or 800 short names with sums of 600 digits would not fit an item, although as many have room as a rule."""
    total = EXACT.add(Decimal("1e300"), Decimal("1e-300"))
    effect = Effect(Checkpoint(1, 0), {f"0.{number:04d}": Observation(2, amount=total) for number in range(MANY)}, {})
    absorbed = Aggregate(ROLLUP_HOUR("d", 0)).absorb("shard", [effect], now=1)
    assert absorbed is not None
    assert absorbed.aggregate.full
    assert 200 < len(absorbed.aggregate.cells) < 250
    assert item_size(aggregate_item(absorbed.aggregate)) <= ROOM


def test_nine_metrics_have_one_item_whatever_they_are_called() -> None:
    """And a hundred have: continuations are for devices that most people don't have."""
    for metrics, character in ((9, chr(0x1F600)), (100, "x")):
        names = [f"{hour}.{number:04d}{character * 60}" for hour in range(4) for number in range(metrics)]
        effect = Effect(Checkpoint(1, 0), {name: Observation() for name in names}, {})
        absorbed = Aggregate(ROLLUP_HOUR("d", 0)).absorb("shard", [effect], now=1)
        assert absorbed is not None
        assert not absorbed.aggregate.full


def test_the_fullest_event_fits_an_item() -> None:
    metrics = {long_name(number, chr(0x1F600)): GREATEST for number in range(MAX_METRICS)}
    attributes = {f"{number:02d}": "x" * (MAX_ATTRIBUTE_BYTES // MAX_ATTRIBUTES) for number in range(MAX_ATTRIBUTES)}
    event = Reading(longest(Id, "x"), LATEST, longest(ShortId, "x"), longest_place(8, "é"), metrics, attributes)
    assert item_size(telemetry_codec.event_item(event)) <= ITEM_BYTES


def test_the_greatest_correction_fits_one_closing_with_all_that_is_open() -> None:
    """A hundred of the longest names in place of a hundred others, and a place in place of another one."""
    names = [f"{LATEST // HOUR}.{long_name(number, 'x')}" for number in range(3 * MAX_METRICS)]
    places = [f"{AT}.{character * PLACE_BYTES}" for character in "xy"]
    changes = dict.fromkeys([*names[MAX_METRICS:], *places], Delta(1))

    def opened(size: int) -> OpenPart:
        brought = dict.fromkeys(names[:size], Delta(1))
        return OpenPart().absorbed(lambda *_: Kept(brought.keys(), frozenset()), brought, frozenset(), Put(1, 0))

    part = next(part for size in range(MAX_METRICS, 0, -1) if (part := opened(size)).cells)
    nothing_stays = Kept(frozenset(), frozenset())
    (closing,) = part.absorbed(lambda *_: nothing_stays, changes, frozenset(), Put(2, 0)).closings
    assert closing.cells.keys() == {*part.cells, *changes}


def test_four_hours_of_hourly_weather_cost_one_write_unit() -> None:
    """Nine measures read once an hour, as in the demo's data, written by two shards: a shard and its child."""
    readings = {
        "temp": "39.02", "dewp": "26.06", "humid": "59.37", "wind_dir": "270", "wind_speed": "10.35702",
        "wind_gust": "20.71404", "precip": "0.01", "pressure": "1012.3", "visib": "10",
    }  # fmt: skip
    cells = {}
    for hour in range(4):
        at = hour * HOURLY.bucket + 51 * 60_000
        for name, value in readings.items():
            cell = Cell()
            cell.add(Observation(1, Decimal(value), at))
            cells[cell_name(HOURLY, at, name)] = cell
    checkpoints = {
        f"{1535544000000 + shard:020d}-{shard:08d}": Checkpoint(10**22 + shard, 1535544000000) for shard in range(2)
    }
    item = aggregate_item(Aggregate(ROLLUP_HOUR("EWR", 0), 4, cells, checkpoints))
    assert len(item["Cells"]["M"]) == 36
    assert item_size(item) <= WRITE_UNIT
