"""Checks level by level that are interrupted: in parts they find what they find at once, and keep little in between."""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import n
from edgewise.stream import levels
from edgewise.stream.levels import Ahead, Descent, descend
from edgewise.stream.verification import verify
from functions.catalog import CATALOG
from functions.systems.telemetry.entity import Reading
from tests.support import readings as events
from tests.support.http import Client
from tests.support.streams import StreamedTable

START, DEVICES, READINGS = 1_535_544_000_000, 7, 5
PLACES = (("US", "Texas"), ("US", "Ohio"), ("US",))
Found = tuple[dict[str, tuple[int, int]], bool]


def named(kind: str, *dimensions: object) -> AggregateId:
    return CATALOG.named([kind, list(dimensions)])


US = ("US",)
ASKED = [named("PLACE", US), named("DEVICE", "d1"), named("PLACE", ("US", "Texas")), named("REPORTED_FROM", "d1", US)]


class Time:
    """So often there is time to go on, when somebody asks."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self) -> bool:
        self.left -= 1
        return self.left >= 0


@pytest.fixture
def fleet(table: StreamedTable, drain: Callable[[], None], handlers: None) -> StreamedTable:
    """Devices that moved between three places, and a room in one of these."""
    for device in range(DEVICES):
        values = {"t": Decimal(device)}
        each = (Reading(f"d{device}", START + at, f"{at}", PLACES[at % 3], values, {}) for at in range(READINGS))
        events.write(table, list(each))
    route, place = "PUT /places/entities/{kind}/{id}", {"path": ["US", "Texas"]}
    assert Client("amy", ("write",)).call(route, body=place, kind="ROOM", id="quay").status in (200, 201)
    drain()
    return table


def told(descent: Descent) -> Found:
    return {level.kind.name: (level.compared, level.wrong) for level in descent.levels}, descent.equal


def in_parts(table: StreamedTable, about: AggregateId, each: int) -> tuple[Descent, int]:
    """The check of an aggregate that is interrupted again and again, and how many parts that took."""
    descent, parts = Descent([Ahead(about)]), 0
    while descent.ahead:
        descent.go_on(table, about, Time(each))
        parts += 1
        assert parts < 10_000, "it makes no progress"
    return descent, parts


@pytest.mark.parametrize("about", ASKED, ids=str)
@pytest.mark.parametrize("each", [2, 3, 4])
def test_a_check_in_parts_finds_what_it_finds_at_once(fleet: StreamedTable, about: AggregateId, each: int) -> None:
    whole = descend(fleet, about, lambda: True)
    assert whole.equal
    descent, parts = in_parts(fleet, about, each)
    assert parts > 1
    assert told(descent) == told(whole)


def test_every_aggregate_below_is_compared_once(fleet: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MOST_BELOW", 3)
    complete = Counter[AggregateId]()

    def noted(*of: object) -> object:
        found = verify(*of)  # type: ignore[arg-type]
        complete[found.stored.id] += found.complete
        return found

    monkeypatch.setattr(levels, "verify", noted)
    in_parts(fleet, named("PLACE", US), 10)
    assert set(complete.values()) == {1}
    # The place; an edge to each device, and each device's to the three places from which it reported.
    assert len(complete) == 1 + DEVICES + DEVICES * len(PLACES)


def test_what_is_left_is_little_however_many_there_are_below(
    fleet: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "MOST_BELOW", 4)
    descent, about, most = Descent([Ahead(named("PLACE", US))]), named("PLACE", US), 0
    while descent.ahead:
        descent.go_on(fleet, about, Time(3))
        most = max(most, len(descent.ahead))
    # The place itself, and those below it: of one device more than asked for at most.
    assert most <= 1 + 4 + 1 + len(PLACES)


def test_a_wrong_one_is_found_in_parts_too(fleet: StreamedTable) -> None:
    about = named("REPORTED_FROM", "d3", ("US", "Ohio"))
    item = aggregate_item(aggregate(about, fleet.get(keys.of(about))))
    fleet.put_many([{**item, "Cells": {"M": {"Count": n(99)}}}])
    descent, _ = in_parts(fleet, named("PLACE", US), 5)
    assert not descent.equal
    assert descent.lowest_wrong
    assert [each.stored.id for each in descent.lowest_wrong.first_wrong] == [about]


def test_without_time_nothing_changes(fleet: StreamedTable) -> None:
    descent = descend(fleet, named("PLACE", US), lambda: False)
    assert (descent.ahead, descent.levels, descent.complete) == ([Ahead(named("PLACE", US))], [], False)
