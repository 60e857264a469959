"""Places: entities settle, move, leave. (Devices are in tests/delivery/test_exactly_once.py.)"""

from collections import Counter, defaultdict
from typing import Any

from hypothesis import strategies as st

from functions.domain.places import Resident
from functions.store.attributes import Item
from functions.store.codec.places import resident_item
from tests.delivery.stories.story import Source, Story

Fact = tuple[str, tuple[str, ...]]


def _source(kind: str, entity: str, place: tuple[str, ...]) -> Source:
    return Source(resident_item(Resident(kind, entity, place)), (kind, place))


def _recount(facts: list[Fact]) -> dict[Any, Any]:
    counts: defaultdict[Any, Counter[str]] = defaultdict(Counter)
    for kind, place in facts:
        for depth in range(1, len(place) + 1):
            counts["PLACE", place[:depth]][kind] += 1
            if depth > 1:
                counts["CONTAINS", place[:depth]][kind] += 1
    return dict(counts)


def _actual(items: list[Item]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for item in items:
        kind, place = item["Type"]["S"], tuple(item["PK"]["S"].split("#")[1:])
        if kind in ("PLACE", "CONTAINS") and "Cells" in item:
            about = place if kind == "PLACE" else (*place, item["SK"]["S"].split("#")[3])
            found[kind, about] = {name: int(cell["N"]) for name, cell in item["Cells"]["M"].items()}
    return found


STORY = Story(
    "places",
    st.builds(
        _source,
        kind=st.sampled_from(("EQUIPMENT", "ROOM")),
        entity=st.sampled_from(("e1", "e2", "e3")),
        place=st.sampled_from((("US", "TX", "Houston"), ("US", "TX"), ("US", "NY"), ("US",), ("FR",))),
    ),
    _recount,
    _actual,
)
