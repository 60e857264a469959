"""Alerts after any history and any delivery to both readers: each crossing is told, and the last one told is right."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from unittest.mock import patch

import pytest

from edgewise import alerting
from edgewise.aggregates import alerts
from edgewise.aggregates.alerts import Alerts
from edgewise.alerting import ALERT, Crossing
from functions.handlers import cascade
from functions.systems.graph import keys
from functions.systems.graph.system import ADJACENT
from tests.delivery.consuming import Consume
from tests.delivery.mutants.changes import Edit
from tests.delivery.test_derived_states import World

DEGRADED, DOWN = "degraded", "down"


class Topic:
    """A topic that keeps what it is told; like SNS, it knows nothing of what was told long ago."""

    def __init__(self) -> None:
        self.told: list[Crossing] = []

    def publish(self, found: Sequence[Crossing]) -> None:
        self.told += found


class Told(World):
    """A world in which alerts are told."""

    def __init__(self, random: Random, consume: Consume) -> None:
        self.topic = Topic()
        super().__init__(random, consume)

    def play(self, number: int) -> None:
        with patch.object(cascade, "topic", lambda: self.topic):
            super().play(number)

    def crossings(self) -> dict[tuple[str, str], list[tuple[int, str]]]:
        """Each change of each alert, as the writes of the aggregates made them: what their items said, one by one."""
        seen: defaultdict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
        for shard in self.table.stream.shards:
            for record in shard.records:
                new = record.form["dynamodb"].get("NewImage")
                if new and new["Type"]["S"] == ADJACENT.name and "Alerts" in new:
                    node, *_ = keys.ADJACENT.parse(new["PK"]["S"], new["SK"]["S"])
                    for name, held in new["Alerts"]["M"].items():
                        change = (int(held["L"][1]["N"]), "raised" if held["L"][0]["BOOL"] else "cleared")
                        if change not in seen[node.id, name]:
                            seen[node.id, name].append(change)
        return dict(seen)

    def told(self) -> dict[tuple[str, str], list[tuple[int, str]]]:
        """The same as the topic was told it, each id once."""
        seen: defaultdict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
        for each in {each.plain["id"]: each for each in self.topic.told}.values():
            seen[each.plain["dimensions"][0][1], each.name].append((each.version, each.change))
        return dict(seen)

    def raised(self) -> set[tuple[str, str]]:
        """What the index lists once it shows everything."""
        found = [ALERT.decode(item) for item in self.items(ALERT.name) if "GSI1PK" in item]
        return {(crossing.plain["dimensions"][0][1], crossing.name) for crossing in found}


@pytest.mark.histories(8)
def test_each_crossing_is_told_in_order_and_the_list_is_right(seed: int, consume: Consume) -> None:
    assert right(Random(seed), consume)


def test_an_alert_begins_and_ceases_with_the_state(consume: Consume) -> None:
    """The histories above contain what they are about."""
    changes = []
    for seed in range(8):
        world = Told(Random(seed), consume)
        world.play(80)
        changes += [change for each in world.told().values() for _, change in each]
    assert changes.count("raised") > 10
    assert changes.count("cleared") > 5


def test_what_comes_late_or_again_writes_nothing(consume: Consume) -> None:
    world = Told(Random(1), consume)
    raised = Crossing('["ADJACENT", [["business", "a"], "in", "PART_OF"]]', DOWN, "raised", 5, 1_000)
    alerting.note(world.table, [raised])
    stored = dict(world.table.items)
    for late in (replace(raised, at=2_000), replace(raised, change="cleared", version=4)):
        alerting.note(world.table, [late])
        assert world.table.items == stored
    alerting.note(world.table, [replace(raised, change="cleared", version=6)])
    assert world.raised() == set()


MUTANTS = {
    "a crossing has the version of another": Edit(Alerts.held, "Held(holds, version)", "Held(holds, 1)"),
    "who counts nothing any more stays alerted": Edit(Alerts.held, "if holds is not None and", "if holds and"),
    "only what begins is told": Edit(alerts.crossings, "if since == version", "if holds and since == version"),
    "one is told for all": Edit(cascade.tell, "to.publish(found)", "to.publish(found[:1])"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, consume: Consume) -> None:
    with MUTANTS[name].made():
        assert not all(right(Random(seed), consume) for seed in range(12))


def right(random: Random, consume: Consume) -> bool:
    """Whether each crossing was told, those of each alert in order, and the list says what the expected states are."""
    world = Told(random, consume)
    world.play(80)
    expected = {(of.id, told.state) for of, told in world.expected().items() if of.type == "business"}
    alerting_ones = {each for each in expected if each[1] in (DEGRADED, DOWN)}
    in_order = all(each == sorted(each) and alternates(each) for each in world.told().values())
    return world.told() == world.crossings() and in_order and world.raised() == alerting_ones


def alternates(changes: Sequence[tuple[int, str]]) -> bool:
    return all(one[1] != other[1] for one, other in pairwise(changes))
