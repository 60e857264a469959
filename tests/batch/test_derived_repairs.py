"""What is derived is put right beside the stream, its faults and their own: in the end, everything is exact."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from delivery import Fault, KilledError
from delivery.invocation import Invocation
from edgewise.dynamodb.attributes import Item, key_of, s
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.sharding import codec as sharding
from edgewise.sharding.lists import ListSharding, ShardedList
from edgewise.stream import put_right
from functions.catalog import CATALOG, DERIVATIONS
from functions.place import AT
from functions.systems.places.codec import resident_item
from functions.systems.places.entity import Resident
from tests.batch.histories import checked_with_drift, happen, settled, world
from tests.batch.test_derived import spoilt, wrong
from tests.delivery.consuming import READS_ALL
from tests.delivery.world import World

FAULTS = (None, Fault.KILLED_BEFORE, Fault.KILLED_AFTER, Fault.WRITE_REPEATED, Fault.THROTTLED, Fault.RACED)
Plan = Sequence[Any]


def renamed(random: Random, item: Item) -> Item | None:
    """A ranking without one of its names, with one too many, or lost as a whole."""
    names = item["Names"]["SS"]
    rest = {name: value for name, value in item.items() if name != "Names"}
    fewer = sorted(set(names) - {random.choice(names)})
    return random.choice(
        (None, rest | ({"Names": {"SS": fewer}} if fewer else {}), item | {"Names": {"SS": [*names, "person#x"]}})
    )


def lost(_: Random, __: Item) -> None:
    """A part of a roster that is lost."""


def hidden(random: Random, item: Item) -> Item | None:
    """An item in a shard that its list does not have, if it is in a list; else another key in an index."""
    listed = DERIVATIONS.shards.get(item["Type"]["S"])
    movable = listed and listed.moved and listed.shard(item) and random.choice((False, True))
    return listed.moved(item, random.randint(2, 16)) if listed and listed.moved and movable else spoilt(random, item)


def drift_of(item: Item) -> Callable[[Random, Item], Item | None]:
    # The names in a document's permissions and information are none of a ranking.
    if item["Type"]["S"] != "RANKING":
        return hidden
    return renamed if "Names" in item else lost if "Members" in item else hidden


def plant(random: Random, of: World, number: int) -> None:
    """Make so many derived things wrong behind the stream's back."""
    left_out = ("BILLED", "CARRIER")  # of copies, see test_copies.py; carriers are not judged
    items = [item for item in of.table.all_items() if item["Type"]["S"] not in left_out and "Unsure" not in item]
    ours = [item for item in items if item["Type"]["S"] != "RANKING" or {"Names", "Members"} & item.keys()]
    of_rankings = [item for item in ours if item["Type"]["S"] == "RANKING"]
    for item in random.sample(ours, min(number, len(ours))) + random.sample(of_rankings, min(2, len(of_rankings))):
        planted, stored = drift_of(item)(random, item), of.table.items  # type: ignore[attr-defined]
        if planted:
            stored[key_of(item)] = planted
        else:
            stored.pop(key_of(item), None)


def attempt(random: Random, of: World, plan: Plan) -> None:
    """Apply the plan; the process may die at a write, and the stream or another attempt may run beside it."""

    def beside(_: object) -> None:
        interrupted, of.table.hook = of.table.hook, of.simulator.writes
        try:
            if random.choice((False, True)):
                of.simulator.step()
            else:
                apply(of, plan)
        except (KilledError, ThrottledError):
            pass
        finally:
            of.table.hook = interrupted

    hook, of.table.hook = of.table.hook, Invocation(random.choice(FAULTS), random.randint(1, 8), beside)
    try:
        apply(of, plan)
    except (KilledError, ThrottledError):
        pass
    finally:
        of.table.hook = hook


def apply(of: World, plan: Plan) -> None:
    put_right.apply(of.table, CATALOG, DERIVATIONS, plan, lambda: True)


def plan_of(found: Any) -> Plan:
    return [each.repair for each in wrong(found)]


@pytest.mark.histories(12)
def test_what_is_derived_wrongly_is_put_right_beside_the_stream(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    with world(random) as each:
        found, _ = checked_with_drift(random, each, lambda: plant(random, each, random.randint(1, 9)), (0, 3), tmp_path)
        plan, planned = plan_of(found), {astray.key for astray in wrong(found)}
        for _ in range(random.randint(0, 4)):
            attempt(random, each, plan)
            happen(random, each, random.randint(0, 3))
        each.releases.current = READS_ALL
        apply(each, plan)
        happen(random, each, random.randint(0, 10))
        rest, _ = settled(each, tmp_path)
        assert planned
        assert planned & {astray.key for astray in wrong(rest)} == set()
        apply(each, plan_of(rest))  # what was in doubt
        found, _ = settled(each, tmp_path)
        outcome = each.outcome()
    assert wrong(found) == []
    assert found.differing == []
    assert outcome.found == outcome.expected


def test_an_entry_in_another_list_is_put_into_a_shard_that_its_own_has(tmp_path: Path) -> None:
    """The other list is wider: the shard that the spoilt entry names is none of the right one."""
    resident = resident_item(Resident("ROOM", "e9", ("US",)))
    wide = ShardedList(AT, ("ROOM", "FR"))
    with world(Random(1)) as each:
        each.table.put_many([resident, sharding.list_item(wide, ListSharding.starting_with(wide.name, 4))])
        each.settle()
        each.table.items[key_of(resident)] = resident | {"GSI1PK": s(wide.shard(3))}  # type: ignore[attr-defined]
        found, _ = settled(each, tmp_path)
        put_right.apply(each.table, CATALOG, DERIVATIONS, [a.repair for a in found.astray if a.repair], lambda: True)
        assert each.table.get(key_of(resident)) == resident
