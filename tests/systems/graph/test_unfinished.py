"""What takes the cascade many steps is not claimed before the last: a state along many edges, the edges of a hub."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.stored import cells
from edgewise.freshness import shards, unfinished
from edgewise.freshness.followed import FollowedUp
from edgewise.freshness.hops import ways
from edgewise.freshness.shards import NO_PARENT, Heartbeat, Shards
from edgewise.times import SECOND
from functions.handlers import cascade, edge_aggregator
from functions.systems.graph import cleanup, store, telling
from functions.systems.graph.entity import GraphEdge, NodeId
from functions.systems.graph.system import ADJACENT, DEGREE
from tests.conftest import KNOWN
from tests.delivery.mutants.changes import Edit
from tests.support.clocks import Clock
from tests.support.http import Context
from tests.support.streams import StreamedTable, window_event

HOST = NodeId("host", "h")
SERVICES = [NodeId("service", f"{number:02d}") for number in range(12)]


class History:
    """A host runs twelve services; both readers take one batch after each heartbeat, and steps are of one edge."""

    def __init__(self, table: StreamedTable, clock: Clock) -> None:
        self.table, self.clock = table, clock
        table.write(shards.replacing(Shards(1, dict.fromkeys(table.shards, NO_PARENT), ("beat",))))
        for node in (HOST, *SERVICES):
            store.put_node(table, node, [], 1)
        for service in SERVICES:
            store.put_edge(table, GraphEdge(HOST, "RUNS", service, Decimal(1)))
        store.put_state(table, HOST, "up", {})
        for _ in range(20):
            self.beat()
        assert unfinished.oldest(table) is None

    def beat(self) -> None:
        self.clock.now += 5 * SECOND
        self.table.clock = self.clock.now / SECOND
        self.table.put_many([shards.heartbeat_item(Heartbeat("beat", self.clock.now))])
        ((shard, records),) = self.table.shards.items()
        batch, records[:] = list(records), []
        edge_aggregator.handler(window_event(shard, batch), Context())
        cascade.handler({"Records": batch}, Context())
        self.clock.now += SECOND

    def lacking(self, kind: Kind, is_done: Callable[[], bool]) -> bool:
        """Whether a change that is made now is claimed before it is done; it must be in the end."""
        changed, claimed, lacked = self.clock.now, 0, False
        for _ in range(26):
            self.beat()
            as_of = KNOWN(self.table).as_of(ways(kind), self.clock.now)
            claimed = max(claimed, as_of or 0)
            lacked = lacked or (claimed > changed and not is_done())
        assert is_done()
        assert claimed > changed
        return lacked

    def numbers(self, kind: Kind) -> list[dict[str, int]]:
        found = [self.table.get(kind.key(service, "in", "RUNS")) for service in SERVICES]
        return [
            {name: cell.count for name, cell in cells(item or {"Type": {"S": kind.name}}).items()} for item in found
        ]


@pytest.fixture
def history(table: StreamedTable, handlers: None, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> History:
    for of, name, value in ((telling, "AT_ONCE", 2), (telling, "STEP", 1), (cleanup, "STEPS", 1)):
        monkeypatch.setattr(of, name, value)
    monkeypatch.setattr(cleanup, "_EDGES_PER_STEP", 1)
    return History(table, clock)


def tells(history: History) -> bool:
    store.put_state(history.table, HOST, "down", {})
    return history.lacking(ADJACENT, lambda: all(each == {"State:down": 1} for each in history.numbers(ADJACENT)))


def deletes(history: History) -> bool:
    cleanup.delete_node(history.table, HOST)
    return history.lacking(DEGREE, lambda: not any(history.numbers(DEGREE)))


def test_a_state_is_not_claimed_before_all_edges_tell_it(history: History) -> None:
    assert not tells(history)


def test_a_deletion_is_not_claimed_before_all_edges_are_gone(history: History) -> None:
    assert not deletes(history)


HOLDS_NOBODY = Edit(FollowedUp.moved, "if since is not None:", "if False:")
MUTANTS = {
    "a pass is not noted": (
        tells,
        Edit(
            telling._begin,
            "[unfinished.noted(new.begun, new.key), Put(pass_item(new), Condition.ABSENT)]",
            "[Put(pass_item(new), Condition.ABSENT)]",
        ),
    ),
    "a deletion is not noted": (deletes, Edit(cleanup.finish, "[unfinished.noted(now, key)]", "[]")),
    "what is unfinished holds no pass up": (tells, HOLDS_NOBODY),
    "what is unfinished holds no deletion up": (deletes, HOLDS_NOBODY),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, history: History) -> None:
    happens, mutant = MUTANTS[name]
    with mutant.made():
        assert happens(history)
