"""Answers between any two writes of three levels: hosts, services whose state follows from them, businesses.

What an answer claims, `as_of`, is held against what was true then and since: a number may be of any of these moments,
for each host on its own. It may lack nothing that is older.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from itertools import count
from random import Random
from unittest.mock import patch

from delivery import Handler, KilledError
from delivery.stream import Shard
from edgewise import clock
from edgewise.aggregates.stored import cells
from edgewise.dynamodb.table import Table
from edgewise.freshness import shards as register
from edgewise.freshness.hops import ways
from edgewise.freshness.known import Known
from edgewise.freshness.shards import NO_PARENT, Heartbeat, Shards, heartbeat_item
from edgewise.stream.changes import is_delivered
from edgewise.times import Millis
from functions.catalog import CATALOG
from functions.errors import BeingDeletedError
from functions.systems.graph import cleanup, codec, keys, store, telling
from functions.systems.graph.entity import MEASURE, STATE, GraphEdge, NodeId
from functions.systems.graph.system import ADJACENT
from tests.conftest import KNOWN
from tests.delivery.cascading import LaggingMemory
from tests.delivery.consuming import Consume, in_steps_of
from tests.delivery.test_derived_states import EDGES, HOSTS, SERVICES, SHOPS, STATES, World
from tests.support.http import Context
from tests.support.streams import window_event

DOWN = "down"
# What no reader of the stream needs.
UNDELIVERED = frozenset(CATALOG.ignored)
# How often a host's state changes, against all else that may happen; and how often another reader is the slow one.
OFTEN, RARELY = 0.8, 0.2
# How often a write of a reader is its last, and how often a batch that is done comes again.
KILLED, AGAIN, BATCH = 0.01, 0.1, 30
# Who is what at some moment: the states of hosts, and which edges there are.
States = Mapping[NodeId, str]
Ends = frozenset[tuple[NodeId, NodeId]]


class Reading:
    """A reader of the stream: of any shard it gets the next records, and again what it did not finish."""

    def __init__(self, table: LaggingMemory, handler: Handler) -> None:
        self.table, self.handler, self.done, self.runs = table, handler, Counter[str](), False

    @property
    def left(self) -> list[Shard]:
        """The shards with something to deliver."""
        return [each for each in self.table.stream.shards if self.done[each.id] < len(each.records)]

    def step(self, random: Random) -> None:
        """One delivery, if there is anything to deliver."""
        if not (left := self.left):
            return
        shard = random.choice(left)
        begins, many = self.done[shard.id], random.randint(1, BATCH)
        taken = shard.records[begins : begins + many]
        records = [each.form for each in taken if is_delivered(UNDELIVERED, each.form)]
        self.runs = True
        try:
            self.handler(window_event(_name(shard.id), records), Context())
        except KilledError:
            return
        finally:
            self.runs = False
        if random.random() >= AGAIN:
            self.done[shard.id] += len(taken)


class Claims(World):
    """The world of derived states, with heartbeats; whoever writes anything, an answer is given before."""

    def __init__(self, random: Random, consume: Consume) -> None:
        self.truth: list[tuple[Millis, States, Ends]] = []
        self.answers, self.claims, self.wrong = 0, 0, list[str]()
        super().__init__(random, consume, shards=2)
        self.names = tuple(map(self._name_in, self.table.stream.shards))
        parents = {_name(each.id): NO_PARENT for each in self.table.stream.shards}
        self.table.write(register.replacing(Shards(1, parents, self.names)))
        self.consumer = Reading(self.table, consume(self.table))
        self.cascade = Reading(self.table, self._follow_up)
        self.slow = self.consumer
        self._begin()
        self.table.meanwhile = self._meanwhile  # type: ignore[method-assign]

    def live(self, steps: int) -> None:
        """Let so many things happen, under passes and deletions of the smallest steps."""
        deeds = [self._happen] * 2 + [self._beat] * 4 + [self._deliver] * 8
        with (
            patch.object(telling, "AT_ONCE", self.random.choice((1, 100))),
            patch.object(telling, "STEP", 1),
            patch.object(cleanup, "STEPS", 1),
            patch.object(cleanup, "_EDGES_PER_STEP", 1),
            in_steps_of(1),
        ):
            for _ in range(steps):
                self.random.choice(deeds)()
                self.answer()

    def _begin(self) -> None:
        """Every host runs every service, each of which is a part of every business; all of them are up."""
        for ends in EDGES:
            store.put_edge(self.table, GraphEdge(*ends, Decimal(1)))
        for host in HOSTS:
            store.put_state(self.table, host, "up", {})
        while self.consumer.left or self.cascade.left:
            self.consumer.step(self.random)
            self.cascade.step(self.random)
        self._note()

    def answer(self) -> None:
        """Read what is told, then the numbers, and hold these against the truth."""
        self.answers += 1
        as_of = known(self.table).as_of(ways(ADJACENT), clock.now())
        if as_of is None:
            return
        self.claims += 1
        since = self._since(as_of)
        numbers = {node: self._numbers(node) for node in (*SERVICES, *SHOPS)}
        seen = {service: [_seen(since, host, service) for host in HOSTS] for service in SERVICES}
        for service in SERVICES:
            for state in STATES:
                possible = [_range(each, state) for each in seen[service]]
                self._hold(as_of, f"{service} {state}", numbers[service][STATE + state], possible)
        for shop in SHOPS:
            possible = [
                (low and always, high and ever)
                for service in SERVICES
                for always, ever in [_lies(since, service, shop)]
                for low, high in [_range(each, DOWN) for each in seen[service]]
            ]
            self._hold(as_of, f"{shop} hosts_down", numbers[shop][MEASURE + "hosts_down"], possible)

    def _hold(self, as_of: Millis, what: str, number: int, possible: list[tuple[bool, bool]]) -> None:
        low, high = (sum(each[place] for each in possible) for place in (0, 1))
        if not low <= number <= high:
            self.wrong.append(f"as of {as_of}, {what}: {number}, not {low} to {high}")

    def _numbers(self, of: NodeId) -> Counter[str]:
        """The counts of a node's neighbours by state, and the sums of what they measure."""
        label = "RUNS" if of in SERVICES else "PART_OF"
        item = self.table.items.get(keys.ADJACENT(of, "in", label))
        found = cells(item) if item else {}
        counts = {name: cell.count for name, cell in found.items() if name.startswith(STATE)}
        return Counter(counts | {name: int(cell.total) for name, cell in found.items() if name.startswith(MEASURE)})

    def _since(self, as_of: Millis) -> list[tuple[States, Ends]]:
        """What was true at an instant, and at each change after it."""
        before = max((place for place, (at, *_) in enumerate(self.truth) if at <= as_of), default=0)
        return [(states, ends) for _, states, ends in self.truth[before:]]

    def _happen(self) -> None:
        if self.random.random() < OFTEN and self.there(host := self.random.choice(HOSTS)):
            store.put_state(self.table, host, self.random.choice(STATES), {})
        else:
            with suppress(BeingDeletedError):
                self.happen()
        self._note()

    def _note(self) -> None:
        """Note what is true now."""
        nodes = [codec.node(item) for item in self.items(codec.NODE)]
        there = {node.id: node.state.name for node in nodes if not node.deleting}
        edges = (codec.edge(item).ends for item in self.items(codec.EDGE))
        self.truth.append((clock.now(), there, frozenset(ends for ends in edges if there.keys() >= {*ends})))

    def _beat(self) -> None:
        self.table.put_many([heartbeat_item(Heartbeat(name, clock.now())) for name in self.names])

    def _name_in(self, shard: Shard) -> str:
        """The name of a heartbeat that comes in a shard."""
        for name in map(str, count()):
            before = len(shard.records)
            self.table.put_many([heartbeat_item(Heartbeat(name, clock.now()))])
            if len(shard.records) > before:
                return name
        raise AssertionError

    def _deliver(self) -> None:
        """One of the readers is slower than the other one, now this and now that."""
        self.table.stream.clock.advance(self.random.choice((0, 0.2, 1, 2)))
        if self.random.random() < RARELY:
            self.slow = self.random.choice((self.consumer, self.cascade))
        for reader in (self.consumer, self.cascade):
            for _ in range(self.random.randint(0, 1 if reader is self.slow else 8)):
                reader.step(self.random)

    def _meanwhile(self) -> None:
        """Before each write there is an answer; and one of a reader may be its last."""
        self.answer()
        if (self.consumer.runs or self.cascade.runs) and self.random.random() < KILLED:
            raise KilledError


def known(table: Table) -> Known:
    """What is told at this moment."""
    return KNOWN(table, consistent=True)


def _seen(since: list[tuple[States, Ends]], host: NodeId, service: NodeId) -> set[str | None]:
    """The states in which a host was among those that run a service; None: it was not among them."""
    return {there.get(host) if (host, service) in ends else None for there, ends in since}


def _range(seen: set[str | None], state: str) -> tuple[bool, bool]:
    """Whether that was always this state, and whether ever."""
    return seen == {state}, state in seen


def _lies(since: list[tuple[States, Ends]], service: NodeId, shop: NodeId) -> tuple[bool, bool]:
    was = [(service, shop) in ends for _, ends in since]
    return all(was), any(was)


def _name(shard: str) -> str:
    return shard.removeprefix("shardId-")
