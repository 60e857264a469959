"""Keys of readings and rollups: as they are documented, and what stands before and behind them."""

from collections.abc import Callable

import pytest
from hypothesis import given

from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Query
from edgewise.times import EARLIEST, LATEST
from functions.catalog import CATALOG
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry import patterns as telemetry_patterns
from functions.systems.telemetry.system import ROLLUP_DAY
from tests.support.keys import NOON, instants, names, places
from tests.support.queries import continuations_found


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (telemetry_keys.EVENT("123", NOON, "e1"), ("DEVICE#123", "EVENT#2018-08-29T12:00:00.000Z#e1")),
        (
            telemetry_keys.REPORTED_FROM("123", ("US", "New York", "JFK")),
            ("DEVICE#123", "EDGE#REPORTED_FROM#PLACE#US#New$20York#JFK"),
        ),
        (telemetry_keys.ROLLUPS["HOUR"]("123", NOON), ("DEVICE#123", "ROLLUP#HOUR#2018-08-29T12:00:00.000Z")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        (("REPORTED_FROM", ("123", ("US", "TX"))), ("DEVICE#123", "EDGE#REPORTED_FROM#PLACE#US#TX")),
        (("ROLLUP_HOUR", ("123", NOON)), ("DEVICE#123", "ROLLUP#HOUR#2018-08-29T12:00:00.000Z")),
        (("ROLLUP_DAY", ("123", NOON)), ("DEVICE#123", "ROLLUP#DAY#2018-08-29T12:00:00.000Z")),
        (("DEVICE", ("123",)), ("DEVICE#123", "EDGE#")),
    ],
)
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


@pytest.mark.parametrize(
    ("about", "expected"),
    [(ROLLUP_DAY("123", NOON)._replace(path="3a"), ("DEVICE#123", "CONTINUED#3a#ROLLUP#DAY#2018-08-29T12:00:00.000Z"))],
)
def test_a_continuation_stands_beside_what_it_continues(about: AggregateId, expected: tuple[str, str]) -> None:
    assert aggregate_keys.of(about) == expected


@pytest.mark.parametrize(
    "query",
    [
        telemetry_patterns.device("a"),
        telemetry_patterns.rollups("a", "DAY", EARLIEST, LATEST),
        telemetry_patterns.device_events("a", None, None),
    ],
)
def test_no_query_finds_continuations(query: Query) -> None:
    assert continuations_found(query) == []


class TestRoundTrips:
    @given(device=names, at=instants, event_id=names)
    def test_event(self, device: str, at: int, event_id: str) -> None:
        assert telemetry_keys.EVENT.parse(*telemetry_keys.EVENT(device, at, event_id)) == (device, at, event_id)

    @given(device=names, block=instants)
    def test_rollup(self, device: str, block: int) -> None:
        assert telemetry_keys.parse_rollup(telemetry_keys.ROLLUPS["DAY"](device, block).sk) == block

    @given(device=names, place=places)
    def test_device_reported_from_place(self, device: str, place: tuple[str, ...]) -> None:
        key = telemetry_keys.REPORTED_FROM(device, place)
        assert (aggregate_keys.entity(key.pk), aggregate_keys.edge_target(key.sk)) == ((device,), place)


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [
        (telemetry_keys.EVENT.parse, ("DEVICE#1", "EVENT#2018-08-29T12:00:00.000Z")),
        (telemetry_keys.EVENT.parse, ("DEVICE#1", "EVENT#2018-08-29T12:00:00.000Z#e#x")),
        (telemetry_keys.EVENT.parse, ("DEVICE#1", "EVENT#yesterday#e")),
        (telemetry_keys.EVENT.parse, ("PLACE#1", "EVENT#2018-08-29T12:00:00.000Z#e")),
        (telemetry_keys.EVENT.parse, ("DEVICE", "EVENT#2018-08-29T12:00:00.000Z#e")),
        (telemetry_keys.parse_rollup, ("ROLLUP#HOUR",)),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)


class TestBorders:
    @given(at=instants, event_id=names)
    def test_all_events_lie_between_their_borders(self, at: int, event_id: str) -> None:
        assert telemetry_keys.EVENTS <= telemetry_keys.EVENT("d", at, event_id).sk <= telemetry_keys.EVENTS_END

    @given(at=instants, start=instants, end=instants, event_id=names)
    def test_events_between_instants(self, at: int, start: int, end: int, event_id: str) -> None:
        key = telemetry_keys.EVENT("d", at, event_id).sk
        low, high = telemetry_keys.events_between(start, end)
        assert (low <= key <= high) == (start <= at < end)
        low, high = telemetry_keys.events_between(None, None)
        assert low < key < high

    def test_nothing_comes_after_the_last_instant(self) -> None:
        low, high = telemetry_keys.events_between(LATEST, LATEST + 1)
        assert low < telemetry_keys.EVENT("d", LATEST, "\U0010ffff").sk < high

    def test_nothing_else_of_a_device_stands_between_its_events(self) -> None:
        others = [
            aggregate_keys.SUMMARY,
            telemetry_keys.REPORTED_FROM("d", ("US",)).sk,
            telemetry_keys.ROLLUPS["DAY"]("d", NOON).sk,
            aggregate_keys.of(ROLLUP_DAY("d", NOON)._replace(path="3a")).sk,
        ]
        assert not [sk for sk in others if telemetry_keys.EVENTS <= sk <= telemetry_keys.EVENTS_END]
