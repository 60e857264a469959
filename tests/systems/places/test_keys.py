"""Keys of places and who lives there: as they are documented, and what stands before and behind them."""

import pytest
from hypothesis import given

from edgewise.aggregates import keys as aggregate_keys
from edgewise.dynamodb.keys import Key
from functions.catalog import CATALOG
from functions.place import at_place, entity_at, place_of
from functions.systems.places import keys as places_keys
from tests.support.keys import names, places


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (places_keys.HOSTS(("US", "New York"), "123"), ("PLACE#US#New$20York", "EDGE#HOSTS#DEVICE#123")),
        (places_keys.NUMBERS(("US", "New York")), ("PLACE#US", "EDGE#CONTAINS#PLACE#New$20York")),
        (places_keys.NUMBERS(("US",)), ("PLACE#US", "EDGE#")),
        (places_keys.resident("EQUIPMENT", "Equipment_1"), ("RESIDENT#EQUIPMENT#Equipment_1", "AT")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        (("HOSTS", (("US", "TX"), "123")), ("PLACE#US#TX", "EDGE#HOSTS#DEVICE#123")),
        (("PLACE", (("US", "TX"),)), ("PLACE#US", "EDGE#CONTAINS#PLACE#TX")),
        (("PLACE", (("US",),)), ("PLACE#US", "EDGE#")),
    ],
)
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


class TestRoundTrips:
    @given(device=names, place=places)
    def test_place_hosts_device(self, device: str, place: tuple[str, ...]) -> None:
        key = places_keys.HOSTS(place, device)
        assert (aggregate_keys.entity(key.pk), aggregate_keys.edge_target(key.sk)) == (place, (device,))

    @given(kind=names, entity=names, place=places)
    def test_entity_lives_at_place(self, kind: str, entity: str, place: tuple[str, ...]) -> None:
        pk, entity_key = places_keys.resident(kind, entity).pk, entity_at(kind, entity, place)
        assert (places_keys.parse_resident(pk), place_of(entity_key)) == ((kind, entity), place)

    @given(entity=names, place=places, other=places)
    def test_an_entity_stands_at_its_place_and_in_all_that_contain_it(
        self, entity: str, place: tuple[str, ...], other: tuple[str, ...]
    ) -> None:
        key = entity_at("ROOM", entity, place)
        assert key.startswith(at_place(other)) == (place[: len(other)] == other)
        assert key != entity_at("ROOM", entity + "x", place)
