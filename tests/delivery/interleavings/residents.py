"""Changes of residents: they feed one aggregate a place, and stand in partitions, so in shards, of their own."""

from edgewise.dynamodb.attributes import key_of
from functions.systems.places.codec import resident_item
from functions.systems.places.entity import Resident
from tests.delivery.interleavings.scenario import Change
from tests.delivery.stories.story import Source

US, FR = ("US",), ("FR",)


def at(name: str, place: tuple[str, ...] = US) -> Change:
    """Somebody lives there from now on."""
    item = resident_item(Resident("EQUIPMENT", name, place))
    return Change(key_of(item), Source(item, ("EQUIPMENT", place)))


def gone(name: str) -> Change:
    """Somebody lives nowhere any more."""
    return Change(at(name).key, None)


TWO_EACH = {"a": [at("a1"), gone("a1")], "b": [at("b1"), at("b2")]}
ONE_EACH = {"a": [at("a1")], "b": [at("b1")]}
COME_AND_GONE = {"a": [at("a1"), gone("a1")], "b": [at("b1")]}
