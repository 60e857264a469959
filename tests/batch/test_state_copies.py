"""Checks of the states that edges tell of their neighbours, and of the states that follow from these."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from batch.comparing import WRONG
from batch.derived import Astray
from batch.found import UNSETTLED
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.stream import put_right
from functions.catalog import CATALOG, DERIVATIONS
from functions.systems.graph import codec, passes, states
from functions.systems.graph.declared import DERIVED
from functions.systems.graph.entity import OUT, NodeId
from functions.systems.graph.rules import Derived, sum_of, worst_of
from functions.systems.graph.state_copies import COPIES
from tests.batch.test_copies import astray
from tests.delivery.consuming import consuming
from tests.delivery.test_derived_states import World


@pytest.fixture
def made() -> Iterator[Callable[[int], World]]:
    """Worlds in which everything has been delivered after a history that has left states of all levels."""

    def worlds(seed: int) -> Iterator[World]:
        for each in range(seed * 1000, seed * 1000 + 1000):
            world = World(Random(each), consume)
            for _ in range(120):
                world.happen()
            world.settle()
            if sum(map(telling, world.items(codec.MIRROR))) > 2:
                yield world

    with consuming() as consume:
        yield lambda seed: next(worlds(seed))


def telling(item: Item) -> bool:
    return bool(states.neighbour(key_of(item)) and codec.state(item).name)


def checked(world: World, folder: Path) -> list[Astray]:
    return astray(world.table, folder)


def repaired(world: World, found: list[Astray]) -> None:
    plan = [each.repair for each in found if each.repair]
    assert len(plan) == len(found)
    put_right.apply(world.table, CATALOG, DERIVATIONS, plan, lambda: True)


@pytest.mark.histories(4)
def test_after_any_history_all_of_them_are_right(seed: int, made: Callable[[int], World], tmp_path: Path) -> None:
    assert checked(made(seed), tmp_path) == []


# What a mirror may tell instead: a state of the past, of a version to come, or none, as before its label told any.
DRIFTS: dict[str, Callable[[Item], Item]] = {
    "stale": lambda item: item | {"State": {"S": "stale"}, "StateVersion": {"N": "1"}},
    "ahead": lambda item: item | {"State": {"S": "stale"}, "StateVersion": {"N": "99999999"}},
    "undeclared": codec.without_neighbour,
}


@pytest.mark.parametrize("drift", DRIFTS)
@pytest.mark.histories(3)
def test_a_copy_that_tells_another_state_is_found_and_put_right_on_all_levels(
    drift: str, seed: int, made: Callable[[int], World], tmp_path: Path
) -> None:
    world = made(seed)
    right = world.found()
    wrong = [item for item in world.items(codec.MIRROR) if telling(item)]
    for item in wrong:
        world.table.put_many([DRIFTS[drift](item)])
    with patch.object(world.table, "follow_up", lambda *_: None):  # nobody heals what the records show
        world.readers[1].drain()
    world.readers[0].drain()
    found = checked(world, tmp_path)
    assert {each.key for each in found if each.kind == COPIES.name} == {key_of(item) for item in wrong}
    assert {each.why for each in found} == {WRONG}
    for _ in range(4):  # a level each
        repaired(world, [each for each in checked(world, tmp_path) if each.kind == COPIES.name])
        world.settle()
    assert checked(world, tmp_path) == []
    assert world.found() == right == world.expected()


def test_while_a_pass_is_under_way_or_a_node_is_being_deleted_nothing_is_wrong(
    made: Callable[[int], World], tmp_path: Path
) -> None:
    world = made(1)
    item = next(filter(telling, world.items(codec.MIRROR)))
    world.table.items[key_of(item)] = DRIFTS["stale"](item)
    node = states.neighbour(key_of(item))
    assert node
    way = passes.pass_item(passes.Pass(node, OUT, codec.edge(item).label, 1, begun=1))
    world.table.items[key_of(way)] = way
    assert {each.why for each in checked(world, tmp_path)} == {UNSETTLED}
    del world.table.items[key_of(way)]
    assert {each.why for each in checked(world, tmp_path)} == {WRONG}


def test_a_rule_that_has_changed_is_applied_by_a_repair(made: Callable[[int], World], tmp_path: Path) -> None:
    world = made(2)
    shops = [each for each in world.found() if each.type == "business"]
    assert shops
    doubled = Derived("PART_OF", "in", worst_of("up"), "other", {"hosts_down": sum_of("load")})
    with patch.dict(DERIVED, {"business": doubled}):
        found = checked(world, tmp_path)
        assert {of(each) for each in found} == set(shops)
        repaired(world, found)
        repaired(world, found)
        world.settle()
        assert checked(world, tmp_path) == []
        told = world.found()
        assert all(told[each].derived == {"hosts_down": told[each].measures["load"][1]} for each in shops)


def of(found: Astray) -> NodeId:
    return NodeId(*found.key.pk.split("#")[1:])
