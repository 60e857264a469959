"""The longest places and their residents fit DynamoDB's limits."""

import pytest

from edgewise.aggregates.edges import Edge
from edgewise.aggregates.stored import aggregate_item
from edgewise.times import LATEST
from functions.catalog import CATALOG
from functions.systems.places import codec as places_codec
from functions.systems.places.entity import Resident
from functions.systems.telemetry.entity import Reading
from functions.web.fields import Id
from tests.support.limits import CHARACTERS, assert_keys_fit, full, longest, longest_place


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", range(1, 9))
def test_the_longest_places_fit_every_key(levels: int, character: str) -> None:
    device, place = longest(Id, character), longest_place(levels, character)
    sources = {"REPORTED_FROM": Edge((device,), place, 1), "HOSTS": Edge(place, (device,), 1)}
    event = Reading(device, LATEST, "e", place, {})
    fed = [
        *CATALOG.contributions("EVENT", event),
        *(id for kind, edge in sources.items() for id in CATALOG.contributions(kind, edge)),
    ]
    assert {"REPORTED_FROM", "HOSTS", "PLACE"} <= {aggregate_id.kind.name for aggregate_id in fed}
    for aggregate_id in fed:
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", [1, 8])
def test_the_longest_residents_fit_every_key(levels: int, character: str) -> None:
    entity, place = longest(Id, character), longest_place(levels, character)
    assert_keys_fit(places_codec.resident_item(Resident("EQUIPMENT", entity, place)))
    for aggregate_id in CATALOG.contributions("RESIDENT", Resident("EQUIPMENT", entity, place)):
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))
