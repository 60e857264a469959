"""A device's open hour: what readers are told while it closes, and how often it does."""

from dataclasses import replace
from decimal import Decimal
from itertools import chain
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.checkpoints import REPAIRS
from edgewise.aggregates.measures import Cell, Delta, Extremes, Observation
from edgewise.aggregates.open_hours import hours, readers
from edgewise.aggregates.open_hours.attributes import CLOSING
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.writes import Delete
from edgewise.stream import sweep, verification
from edgewise.times import HOUR, SECOND, Millis
from functions.catalog import CATALOG
from functions.handlers import edge_aggregator
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import DEVICE, ROLLUP_HOUR
from functions.web import runtime
from tests.support import readings as events
from tests.support.http import Client, Context
from tests.support.streams import StreamedMemory, window_event

Counted = TypeVar("Counted", Cell, Delta)
pytestmark = pytest.mark.usefixtures("handlers")
NOON, MINUTE, SHARD = 1_535_544_000_000, 60 * SECOND, "shard-0"
READER, ROLLUPS = Client(), "GET /devices/{device}/rollups"
HOURLY = {"metric": "m0", "grain": "hour", "limit": "100"}


def always() -> bool:
    """There is always time to go on."""
    return True


class Deployed:
    """A table, its readers and its consumer, at a time that tests choose."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, shards: int = 1) -> None:
        self.table = StreamedMemory(shards)
        self.now: Millis = NOON
        monkeypatch.setattr(runtime, "table", lambda: self.table)
        monkeypatch.setattr(edge_aggregator, "table", lambda: self.table)
        monkeypatch.setattr(clock, "now", lambda: self.now)

    def report(self, at: Millis, *places: str, values: range = range(1)) -> None:
        """A reading of now, or of some other time, is stored."""
        self.table.clock = self.now / SECOND
        numbers = {f"m{number}": Decimal(value) for number, value in enumerate(values)}
        events.write(self.table, [Reading("d", at, f"{at}", places, numbers, {})])

    def absorb(self, count: int, shard: str = SHARD) -> list[Item]:
        """The next records of a shard are delivered; gives what the shard then has in front of it."""
        batch, self.table.shards[shard][:count] = self.table.shards[shard][:count], []
        edge_aggregator.handler(window_event(shard, batch), Context())
        return self.table.shards[shard]

    def absorb_all(self) -> list[Item]:
        """Everything is delivered in batches of one record, until nothing follows; gives what has closed."""
        closed = list[Item]()
        while shard := self.table.shards[SHARD]:
            new = shard[0]["dynamodb"].get("NewImage", {})
            closed += [new] if CLOSING in new else []
            self.absorb(1)
        return closed

    def close_the_hour(self) -> None:
        """The device has closed its hour at noon, and nobody has absorbed that."""
        self.report(NOON)
        self.absorb_all()
        self.now += HOUR
        self.report(self.now)
        self.absorb(1)

    def settle(self) -> None:
        """So long a pause that everything is delivered."""
        self.absorb_all()

    def hours(self) -> dict[str, int]:
        """How many readings each hour has, as a reader is told."""
        answer = READER.call(ROLLUPS, HOURLY, device="d")
        return {each["start"][8:13]: each["count"] for each in answer.body["rollups"]}


@pytest.fixture
def deployed(monkeypatch: pytest.MonkeyPatch) -> Deployed:
    return Deployed(monkeypatch)


def test_no_hour_is_missing_however_far_the_consumer_is_behind(deployed: Deployed) -> None:
    for minute in range(40):
        deployed.now = NOON + (40 + minute) * MINUTE
        deployed.report(deployed.now)
    told = 0
    while deployed.table.shards[SHARD]:
        deployed.now += 30 * SECOND
        deployed.absorb(1)
        before, told = told, sum(deployed.hours().values())
        assert before <= told <= 40
    assert deployed.hours() == {"29T12": 20, "29T13": 20}


@pytest.mark.histories(8)
def test_no_hour_is_missing_however_far_one_of_several_shards_is_behind(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The readings of one device, and what it closes, are in different shards."""
    random, deployed, told = Random(seed), Deployed(monkeypatch, shards=3), 0
    for minute in range(0, 180, 5):
        deployed.now = NOON + minute * MINUTE
        deployed.report(deployed.now)
        behind = random.choice([*deployed.table.shards])
        for shard, records in deployed.table.shards.items():
            if records and shard != behind and random.random() < 0.8:
                deployed.absorb(random.randint(1, len(records)), shard)
            before, told = told, sum(deployed.hours().values())
            assert before <= told <= minute // 5 + 1
    while waiting := [shard for shard, records in deployed.table.shards.items() if records]:
        deployed.absorb(1, random.choice(waiting))
        before, told = told, sum(deployed.hours().values())
        assert before <= told <= 36
    assert deployed.hours() == {"29T12": 12, "29T13": 12, "29T14": 12}


def test_a_closing_is_kept_for_a_minute_after_all_have_absorbed_it(deployed: Deployed) -> None:
    """So long may a reader take who met one of them before it had done so."""
    deployed.close_the_hour()
    kept = []
    for seconds in (60, 30, 31, 1):
        deployed.now += seconds * SECOND
        deployed.report(deployed.now)
        deployed.absorb_all()
        kept.append("Closings" in deployed.table.items[keys.of(DEVICE("d"))])
    assert kept == [True, True, False, False]


def test_an_hour_that_was_emptied_and_swept_begins_anew(deployed: Deployed) -> None:
    """Its device still holds the closing that emptied it, and has not been heard of since."""
    deployed.report(NOON)
    deployed.now += HOUR
    deployed.report(deployed.now)
    deployed.absorb_all()
    for _ in range(2):
        deployed.now += MINUTE
        deployed.report(deployed.now)
        deployed.absorb_all()
    deployed.table.write(Delete(telemetry_keys.EVENT("d", NOON, f"{NOON}")))
    deployed.absorb_all()
    deployed.now += 40 * HOUR
    sweep.sweep(deployed.table, CATALOG, lambda: True)
    assert keys.of(ROLLUP_HOUR("d", NOON)) not in deployed.table.items
    deployed.report(NOON + SECOND)
    deployed.absorb_all()
    assert deployed.hours() == {"29T12": 1, "29T13": 3}


def test_what_was_removed_unheard_does_not_come_back_when_a_repaired_hour_closes(deployed: Deployed) -> None:
    """The removal is never delivered, so its reading is still open when the hour is repaired."""
    deployed.report(NOON, values=range(7, 8))
    deployed.report(NOON + SECOND, values=range(1, 2))
    deployed.absorb_all()
    deployed.table.write(Delete(telemetry_keys.EVENT("d", NOON + SECOND, f"{NOON + SECOND}")))
    deployed.table.shards[SHARD].clear()
    verification.repair(deployed.table, ROLLUP_HOUR("d", NOON), deployed.settle, always)
    deployed.now += HOUR
    deployed.report(deployed.now)
    deployed.absorb_all()
    (hour, _) = READER.call(ROLLUPS, HOURLY, device="d").body["rollups"]
    assert [hour[name] for name in ("count", "sum", "min", "max", "recounting")] == [1, 7, 7, 7, False]


def test_a_closing_that_was_lost_is_not_added_to_what_was_repaired(deployed: Deployed) -> None:
    deployed.close_the_hour()
    deployed.table.shards[SHARD].clear()
    verification.repair(deployed.table, ROLLUP_HOUR("d", NOON), lambda: None, always)
    assert deployed.hours() == {"29T12": 1, "29T13": 1}


def test_an_hour_that_learns_of_its_closing_is_not_written_by_its_repair(deployed: Deployed) -> None:
    """It would doubt whatever comes at the time of the repair."""
    deployed.close_the_hour()
    verification.repair(deployed.table, ROLLUP_HOUR("d", NOON), deployed.settle, always)
    hour = deployed.table.items[keys.of(ROLLUP_HOUR("d", NOON))]
    assert REPAIRS not in aggregate(ROLLUP_HOUR("d", NOON), hour).checkpoints


def test_a_lost_closing_is_not_added_to_an_hour_that_is_right_without_it(deployed: Deployed) -> None:
    """Its only reading was removed as well, which was lost too."""
    deployed.close_the_hour()
    deployed.table.write(Delete(telemetry_keys.EVENT("d", NOON, f"{NOON}")))
    deployed.table.shards[SHARD].clear()
    assert deployed.hours() == {"29T12": 1, "29T13": 1}
    verification.repair(deployed.table, ROLLUP_HOUR("d", NOON), lambda: None, always)
    assert deployed.hours() == {"29T13": 1}


def test_a_repair_may_write_an_hour_that_only_says_what_it_lacks(deployed: Deployed) -> None:
    deployed.report(NOON)
    (event,) = (item for item in deployed.table.items.values() if string(item["Type"]) == "EVENT")
    event["Metrics"] = {"M": {"m0": {"S": "?"}}}
    verification.repair(deployed.table, ROLLUP_HOUR("d", NOON), lambda: None, always)
    assert "Lacks" in deployed.table.items[keys.of(ROLLUP_HOUR("d", NOON))]


def test_the_hours_of_a_device_that_can_not_be_read_say_what_they_lack(deployed: Deployed) -> None:
    deployed.report(NOON)
    deployed.absorb_all()
    device = deployed.table.items[keys.of(DEVICE("d"))]
    device["Open"] = {"B": b"?"}
    deployed.now += SECOND
    deployed.report(deployed.now)
    deployed.absorb_all()
    assert "Lacks" in deployed.table.items[keys.of(ROLLUP_HOUR("d", NOON))]


def test_a_device_that_moves_once_tells_two_places_and_no_more(deployed: Deployed) -> None:
    for minute in range(10):
        deployed.now = NOON + minute * MINUTE
        deployed.report(deployed.now, "US", "there" if minute < 5 else "elsewhere")
    assert len(deployed.absorb_all()) == 2
    places = READER.call("GET /devices/{device}", device="d").body["places"]
    assert {tuple(each["place"]): each["events"] for each in places} == {("US", "there"): 5, ("US", "elsewhere"): 5}


def test_more_corrections_than_fit_are_absorbed_in_parts(deployed: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than the tries that finding an impossible effect may take."""
    monkeypatch.setattr(hours, "CLOSING_ROOM", 2500)
    for hour in range(100):
        deployed.report(NOON - hour * HOUR, values=range(10))
    deployed.absorb_all()
    for hour in range(100):
        deployed.report(NOON - hour * HOUR, values=range(1, 11))
    deployed.absorb(100)
    deployed.absorb_all()
    device = deployed.table.items[keys.of(DEVICE("d"))]
    assert "Lacks" not in device
    assert list(deployed.hours().values()) == [1] * 100


READINGS = st.lists(st.decimals(-99, 99, places=1), min_size=1, max_size=4)


@given(READINGS, st.lists(READINGS, max_size=3), st.integers(0, 3), st.booleans())
def test_what_is_live_is_added_and_extremes_that_are_being_recounted_stay_unknown(
    stored: list[Decimal], closings: list[list[Decimal]], absorbed: int, known: bool
) -> None:
    """A cell, and the closings that its aggregate is still to absorb, which know nothing of what it was made of."""
    cell = summed(Cell(), stored) if known else replace(summed(Cell(), stored), extremes=Extremes())
    pending = {"m0": [(number, summed(Delta(), values)) for number, values in enumerate(closings, 1)]}
    found = readers.with_pending(cell, absorbed, pending, "m0")
    values = [*stored, *chain.from_iterable(closings[absorbed:])]
    assert (found.count, found.total) == (len(values), sum(values))
    extremes = (found.extremes.low, found.extremes.high)
    assert extremes == ((min(values), max(values)) if known else (None, None))


def summed(into: Counted, values: list[Decimal]) -> Counted:
    """The cell, or the change of one, with some more values."""
    for value in values:
        into.add(Observation(value=value))
    return into
