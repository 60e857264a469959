"""Repairs by hand, however far the consumer is behind: what they write is right, or says that it is in doubt."""

from random import Random
from unittest.mock import patch

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.recounts.declaration import followers
from edgewise.dynamodb.attributes import key_of
from edgewise.stream import incomplete, verification
from edgewise.stream.verification import RepairRefusedError
from functions.catalog import CATALOG
from tests.batch.histories import world
from tests.batch.test_repairs import drifted
from tests.delivery.simulated import Undisturbed
from tests.delivery.world import World

# Sources are stored, and repairs made, while nothing is delivered for minutes.
HAPPENINGS = (
    *[World.store] * 8,
    World.store_many,
    *[World.deliver] * 4,
    *[World.remove] * 4,
    World.release,
    World.redrive,
    World.wait,
)


def pause(random: Random | None, of: World) -> None:
    """A minute, in which the stream may go on, and sources change; without `random`, it goes on to its end."""
    of.table.stream.clock.advance(60)
    if random is None:
        of.drain()
    elif random.random() < 0.3:
        random.choice((World.store, World.deliver, World.remove, World.drain))(of)


def repaired(random: Random | None, of: World, about: AggregateId) -> bool:
    """Somebody repairs an aggregate; whether it has been written."""
    hook = of.table.hook

    def delivering() -> None:
        with patch.object(of.table, "hook", hook):
            pause(random, of)

    try:
        with patch.object(of.table, "hook", Undisturbed()):
            return verification.repair(of.table, about, delivering, lambda: True).wants_repair
    except RepairRefusedError:
        return False


def stored(of: World) -> list[AggregateId]:
    """The aggregates in the table; others have not heard of their sources yet."""
    return [CATALOG.aggregate_of(item) for item in of.table.all_items() if item["Type"]["S"] in CATALOG.kinds]


def wrong(of: World) -> set[AggregateId]:
    """The aggregates that differ from their sources and do not say that they lack something.

    Those that are recounted from others may differ because these do: the end will tell.
    """
    own = (about for about in stored(of) if not about.kind.recounted_by)
    found = (verification.verify(of.table, about, lambda: True) for about in own)
    return {each.stored.id for each in found if not (each.equal or each.stored.lacks)} - noted(of)


def noted(of: World) -> set[AggregateId]:
    """The aggregates on the operators' list."""
    return {CATALOG.named([each.kind, each.dimensions]) for each in incomplete.page(of.table, 1000, None)[0]}


def drift(random: Random, of: World, about: AggregateId) -> None:
    """A number becomes wrong from which no other follows."""
    kind, item = about.kind, of.table.get(keys.of(about))
    if kind.name in CATALOG.feeds or followers(about) or kind.recounted_by:
        return
    if item and "Cells" in item:
        of.table.items[key_of(item)] = drifted(random, item)  # type: ignore[attr-defined]


@pytest.mark.histories(40)
def test_what_is_delivered_later_does_not_count_twice(seed: int) -> None:
    random, drifting = Random(seed), set[AggregateId]()
    with world(random) as each:
        for _ in range(random.randint(20, 60)):
            random.choice(HAPPENINGS)(each)
            if random.random() < 0.4 and (of := stored(each)):
                about = random.choice(sorted(of, key=lambda about: str(about.plain)))
                each.table.stream.clock.advance(random.choice((0, 5, 120)))
                if random.random() < 0.3:
                    drift(random, each, about)
                    drifting.add(about)
                if repaired(random, each, about):
                    drifting.discard(about)
        each.settle()
        assert wrong(each) - drifting == set()
        for _ in range(3):  # emptied items that leave the table meanwhile make it refuse
            for about in sorted(drifting | noted(each), key=lambda about: about.kind.rank):
                repaired(None, each, about)
                each.settle()
        outcome = each.outcome()
    assert noted(each) == set()
    assert outcome.found == outcome.expected
