"""Places: entities settle, move, leave. (Devices are in telemetry's story.)"""

from collections import Counter, defaultdict
from random import Random
from typing import Any

from edgewise.dynamodb.attributes import Item
from functions.systems.places.codec import resident_item
from functions.systems.places.entity import Resident
from tests.delivery.stories.story import Source, Story

DEVICES = ("Events", "Devices")
Fact = tuple[str, tuple[str, ...]]


PLACES = (("US", "TX", "Houston"), ("US", "TX"), ("US", "NY"), ("US",), ("FR",))


def _source(random: Random) -> Source:
    kind, entity = random.choice(("EQUIPMENT", "ROOM")), random.choice(("e1", "e2", "e3"))
    place = random.choice(PLACES)
    return Source(resident_item(Resident(kind, entity, place)), (kind, place))


def _recount(facts: list[Fact]) -> dict[Any, Any]:
    counts: defaultdict[Any, Counter[str]] = defaultdict(Counter)
    for kind, place in facts:
        for depth in range(1, len(place) + 1):
            counts["PLACE", place[:depth]][kind] += 1
    return dict(counts)


def _actual(items: list[Item]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for item in items:
        if item["Type"]["S"] == "PLACE" and "Cells" in item:
            # In the partition of the place around it, or of its own if it is a root.
            place = (*item["PK"]["S"].split("#")[1:], *item["SK"]["S"].split("#")[3:])
            residents = {name: int(cell["N"]) for name, cell in item["Cells"]["M"].items() if name not in DEVICES}
            if residents:
                found["PLACE", place] = residents
    return found


STORY = Story("places", _source, _recount, _actual)
